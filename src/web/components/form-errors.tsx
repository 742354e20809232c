import { ErrorNotice } from "./error-notice.tsx";

/**
 * What a refusal says that stands beside no field: give it what `showFieldErrors` (lib) returns.
 * It is announced when it appears.
 */
export function FormErrors({ error, title }: { error: unknown; title?: string }) {
  if (error === undefined || error === null) return null;
  return <ErrorNotice error={error} {...(title !== undefined && { title })} />;
}
