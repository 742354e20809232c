import { createInterface } from "node:readline/promises";
import { COMMANDS } from "./commands.ts";
import { Lab, type LabOptions } from "./lab.ts";
import { NAT_KINDS } from "./nat-behaviour.ts";
import { whyNoLaboratory } from "./requirements.ts";

const USAGE = [
  `npm run lab [-- NAT [CARRIER'S NAT]], each one of ${NAT_KINDS.join(", ")}`,
  "npm run lab -- ipv6 [NAT], with a routed prefix besides",
].join("\n");

/** A laboratory to play with: reads commands until the end of its input. */
async function main(words: readonly string[]): Promise<void> {
  const options = readOptions(words);
  const reason = options ? whyNoLaboratory() : USAGE;
  if (!options || reason) {
    console.error(reason);
    process.exitCode = 1;
    return;
  }
  const lab = await Lab.create(options);
  try {
    console.log(`${helpText()}\n`);
    console.log(await answer(lab, "show"));
    const input = createInterface({
      input: process.stdin,
      output: process.stdout,
      prompt: "lab> ",
    });
    let hasEnded = false;
    input.once("close", () => (hasEnded = true));
    input.prompt();
    for await (const line of input) {
      if (["exit", "quit"].includes(line.trim())) break;
      // A shell reads the same input.
      input.pause();
      console.log(await answer(lab, line));
      if (!hasEnded) input.prompt();
    }
    input.close();
  } finally {
    await lab.destroy();
  }
}

function readOptions(words: readonly string[]): LabOptions | undefined {
  const ipv6 = words[0] === "ipv6";
  const kinds = (ipv6 ? words.slice(1) : words).map((word) =>
    NAT_KINDS.find((kind) => kind === word),
  );
  if (kinds.length > (ipv6 ? 1 : 2) || kinds.includes(undefined)) return undefined;
  const [nat, carrier] = kinds;
  return { ipv6, ...(nat && { nat }), ...(carrier && { carrier }) };
}

/** Does what a line says. @returns what to show */
async function answer(lab: Lab, line: string): Promise<string> {
  const [name = "", ...words] = line.trim().split(/\s+/);
  if (name === "") return "";
  const command = COMMANDS.find((each) => each.name === name);
  if (!command) return helpText();
  try {
    return await command.run(lab, words);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function helpText(): string {
  const lines = COMMANDS.map(
    ({ name, parameters, what }) => [`${name} ${parameters}`, what] as const,
  );
  const width = Math.max(...lines.map(([left]) => left.length));
  const all = [...lines, ["exit", "ends the laboratory"] as const];
  return all.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

await main(process.argv.slice(2));
