import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

/** Each says what is wrong about a text, or nothing. */
export interface FieldChecks {
  required(text: string): string | undefined;
  atMost(text: string, most: number): string | undefined;
  /** @param value "" of an empty field */
  wholeNumber(value: number | string, least: number, most: number): string | undefined;
  hostPort(text: string): string | undefined;
  /** One `host:port` a line. */
  hostPorts(text: string, most: number): string | undefined;
  host(text: string): string | undefined;
  /** An http or https address. */
  url(text: string): string | undefined;
  pattern(text: string, pattern: RegExp, words: "word" | "digits" | "noSpaces"): string | undefined;
}

/** A DNS name, an IPv4 address or an IPv6 address, roughly: the service looks closely. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|[\da-fA-F:.]*:[\da-fA-F:.]+)$/;
const HOST_PORT = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-fA-F:.]+\]):(\d{1,5})$/;
const LARGEST_PORT = 65_535;

/** Judgements that many forms make, in the language of the page. */
export function useFieldChecks(): FieldChecks {
  const { t } = useTranslation("editing");
  return toChecks(t);
}

/** The lines of a text that say something. */
export function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function toChecks(t: TFunction<"editing">): FieldChecks {
  return {
    required: (text) => fails(text.trim() === "", t("check.required")),
    atMost: (text, most) => fails([...text.trim()].length > most, t("check.tooLong", { most })),
    wholeNumber: (value, least, most) => {
      const isNumber = typeof value === "number" && Number.isInteger(value);
      const isWithin = isNumber && value >= least && value <= most;
      return fails(!isWithin, t("check.wholeNumber", { least, most }));
    },
    hostPort: (text) => fails(!isHostPort(text.trim()), t("check.hostPortAlone")),
    hostPorts: (text, most) => {
      const lines = toLines(text);
      if (lines.length > most) return t("check.tooMany", { most });
      const bad = lines.findIndex((line) => !isHostPort(line));
      if (bad !== -1) return t("check.hostPort", { line: bad + 1 });
      const again = lines.findIndex((line, n) => lines.indexOf(line) < n);
      return fails(again !== -1, t("check.twice", { line: again + 1 }));
    },
    host: (text) => fails(!HOST.test(text.trim()), t("check.host")),
    url: (text) => fails(!/^https?:\/\/[^\s/]/i.test(text.trim()), t("check.url")),
    pattern: (text, pattern, words) => fails(!pattern.test(text.trim()), t(`check.${words}`)),
  };
}

function fails(isWrong: boolean, words: string): string | undefined {
  return isWrong ? words : undefined;
}

function isHostPort(text: string): boolean {
  const port = Number(HOST_PORT.exec(text)?.[1] ?? 0);
  return port >= 1 && port <= LARGEST_PORT;
}

/** What is wrong, without what is not. */
export function onlyWrong(
  found: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
