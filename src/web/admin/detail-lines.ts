export interface DetailLine {
  name: string;
  value: string;
  /** What it was, where that was noted. */
  before?: string;
}

/** Details of an audit entry as lines: a change of a record says each field with both its values. */
export function toDetailLines(details: Readonly<Record<string, unknown>>): DetailLine[] {
  return Object.entries(details).flatMap(([name, value]): DetailLine[] => {
    if (name !== "changed" || !isRecord(value)) return [{ name, value: toText(value) }];
    return Object.entries(value).map(([field, change]) =>
      isRecord(change) && "from" in change && "to" in change
        ? { name: field, before: toText(change["from"]), value: toText(change["to"]) }
        : { name: field, value: toText(change) },
    );
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string {
  if (value === null || value === "" || value === undefined) return "–";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    return value.join(", ");
  }
  if (Array.isArray(value) && value.every((each) => isRecord(each))) {
    return value.map((each) => Object.values(each).map(toText).join(" ")).join(", ");
  }
  return JSON.stringify(value);
}
