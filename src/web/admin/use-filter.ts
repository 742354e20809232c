import { useSearchParams } from "wouter";

/** What a list is filtered by, kept in the address, so that it can be sent to somebody. */
export function useFilter<Name extends string>(
  names: readonly Name[],
): [Record<Name, string>, (change: Partial<Record<Name, string>>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const filter = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ""]));
  const set = (change: Partial<Record<Name, string>>): void => {
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries<string | undefined>(change)) {
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      },
      { replace: true },
    );
  };
  return [filter as Record<Name, string>, set];
}
