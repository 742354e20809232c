/** The forms a body is sent in. */
export type ContentCoding = "br" | "gzip" | "identity";

const aliases: Readonly<Record<string, ContentCoding>> = {
  br: "br",
  gzip: "gzip",
  "x-gzip": "gzip",
  identity: "identity",
};

/** The smallest first, where a client likes them the same. */
const preference: readonly ContentCoding[] = ["br", "gzip", "identity"];

/** Clients write the header in few ways. */
const known = new Map<string, ContentCoding>();
const KNOWN_KEPT = 64;

/**
 * The coding a client likes best (RFC 9110 §12.5.3). A body that is refused in every form is sent
 * as it is.
 */
export function chooseCoding(acceptEncoding: string | undefined): ContentCoding {
  if (acceptEncoding === undefined) return "identity";
  let coding = known.get(acceptEncoding);
  if (coding === undefined) {
    coding = choose(acceptEncoding);
    if (known.size >= KNOWN_KEPT) known.clear();
    known.set(acceptEncoding, coding);
  }
  return coding;
}

function choose(acceptEncoding: string): ContentCoding {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [word = "", ...parameters] = part.split(";").map((each) => each.trim());
    const name = aliases[word] ?? (word === "*" ? word : undefined);
    if (name !== undefined) weights.set(name, weightOf(parameters));
  }
  let best: ContentCoding = "identity";
  let bestWeight = 0;
  for (const coding of preference) {
    const weight = weights.get(coding) ?? (coding === "identity" ? 0 : (weights.get("*") ?? 0));
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** From 0 to 1; a weight that cannot be read is none. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((each) => each.startsWith("q="))?.slice("q=".length);
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
