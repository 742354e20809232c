import type { AdminSetting } from "../../shared/api/admin.ts";
import { REDACTED, Redactor } from "../lib/redaction.ts";
import { PREFIX } from "../settings.ts";
import type { StatedSetting } from "../stated-settings.ts";

/** Made in the data folder where nobody has stated them. */
const generated: ReadonlySet<string> = new Set(["JWT_SECRET", "SECRET_KEY"]);
/** Secret for their password; the rest says where the service stores and sends to. */
const shownInPart: ReadonlySet<string> = new Set(["DATABASE_URL", "SMTP_URL"]);

/** The settings as administrators may see them. */
export function showSettings(stated: readonly StatedSetting[]): AdminSetting[] {
  return stated.map(({ setting, value, source }) => {
    const { name, about, fallback, secret = false } = setting;
    const isGenerated = value === "" && generated.has(name);
    const shown = !secret || (shownInPart.has(name) && value !== "");
    return {
      name: PREFIX + name,
      description: about,
      value: shown ? withoutCredentials(value) : null,
      default: fallback,
      source: isGenerated ? "generated" : source,
      secret,
      set: isGenerated || value !== "",
    };
  });
}

/** A URL without its password and without what its query keys call a credential. */
function withoutCredentials(value: string): string {
  if (!URL.canParse(value)) return value;
  const bare = value.replace(
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i,
    (_all, scheme: string, user: string) => {
      const [name = "", ...password] = user.split(":");
      return `${scheme}${name}${password.length > 0 ? `:${REDACTED}` : ""}@`;
    },
  );
  return new Redactor([]).url(bare);
}
