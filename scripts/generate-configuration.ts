import { writeFileSync } from "node:fs";
import { type Setting, settings } from "../src/server/settings.ts";

/** Writes docs/configuration.md from the list of settings. */
const INTRODUCTION = `<!-- Written by \`npm run generate\`. -->

# Configuration

Waypost reads its settings from the environment, and from a file \`.env\` in the folder it is started
in; the environment wins. An empty value counts as not set. A wrong value stops the start with one
line that names it. Where the table says so, the value can also be kept in a file whose path is
given in the variable with \`_FILE\` at its end.
`;

function toRow(setting: Setting): string {
  const name = `\`WAYPOST_${setting.name}\``;
  const names = setting.secret ? `${name} (or \`WAYPOST_${setting.name}_FILE\`)` : name;
  const fallback = setting.fallback === "" ? "" : `\`${setting.fallback}\``;
  return `| ${[names, fallback, setting.about].map(escapeCell).join(" | ")} |`;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}

const table = ["| Setting | Default | Meaning |", "| --- | --- | --- |", ...settings.map(toRow)];
writeFileSync("docs/configuration.md", `${INTRODUCTION}\n${table.join("\n")}\n`);
