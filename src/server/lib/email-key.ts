/**
 * The form in which e-mail addresses are compared: trimmed, in one spelling of each character
 * (Unicode NFC), without case.
 */
export function toEmailKey(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}
