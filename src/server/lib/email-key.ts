/**
 * The form in which e-mail addresses are compared: trimmed, in one spelling of each character
 * (Unicode NFC), without case.
 */
export function toEmailKey(text: string): string {
  const trimmed = text.trim();
  return IS_KEY.test(trimmed) ? trimmed : trimmed.normalize("NFC").toLowerCase();
}

/** Nearly every address is its own key; each report brings one. */
const IS_KEY = /^[!-@[-~]*$/;
