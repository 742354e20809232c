import type { RecordType } from "../../shared/api/domains.ts";
import { parseLooseText, parseText, toText, type RecordData } from "./record-data.ts";
import type { NewData } from "./record-plan.ts";

/**
 * A value as web consoles show it: names without their final dot, texts without quotes; the root
 * stays a dot.
 */
export function toBareText(data: NewData): string {
  switch (data.type) {
    case "TXT":
      return data.text;
    case "SRV": {
      const { priority, weight, port, target } = data;
      return `${priority} ${weight} ${port} ${target === "" ? "." : target}`;
    }
    default:
      return toText(data);
  }
}

export function parseBareText(type: RecordType, text: string): RecordData {
  return type === "TXT" ? parseLooseText(text) : parseText(type, text);
}
