/** Of a password, in characters. The service has the same. */
export const passwordLimits = { shortest: 8, longest: 256 } as const;

export type Flaw = "emailMissing" | "emailForm" | "passwordMissing" | "tooShort" | "tooLong";

/** What is wrong about an address, as far as a form can tell. */
export function judgeEmail(text: string): Flaw | undefined {
  const email = text.trim();
  if (email === "") return "emailMissing";
  return /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : "emailForm";
}

export function judgeNewPassword(password: string): Flaw | undefined {
  const length = [...password].length;
  if (length === 0) return "passwordMissing";
  if (length < passwordLimits.shortest) return "tooShort";
  return length > passwordLimits.longest ? "tooLong" : undefined;
}

/** Of a password that exists already. */
export function judgeOldPassword(password: string): Flaw | undefined {
  return password === "" ? "passwordMissing" : undefined;
}
