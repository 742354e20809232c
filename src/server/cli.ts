#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { check } from "./commands/check.ts";
import { UsageError, type Command, type ExitCode } from "./commands/command.ts";
import { serve } from "./commands/serve.ts";
import { stun } from "./commands/stun.ts";
import { ConfigError } from "./settings.ts";

const commands: readonly Command[] = [serve, check, stun];

enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/waypost"));

// A service that has been started decides itself when the process ends.
const code = await main(process.argv.slice(2));
if (code !== undefined) process.exitCode = code;

async function main([word, ...parameters]: readonly string[]): Promise<ExitCode> {
  if (word === undefined || isHelp(word)) {
    console.log(overview());
    return word === undefined ? 2 : 0;
  }
  const command = commands.find(({ name }) => name === word);
  if (!command) return refuse(`There is no command ${word}`, "waypost --help");
  if (parameters.some(isHelp)) {
    console.log(command.help);
    return 0;
  }
  try {
    return await command.run(parameters, {
      out: (line) => console.log(line),
      environment: process.env,
      directory: process.cwd(),
      readInput: () => text(process.stdin),
    });
  } catch (error) {
    if (isWrongUse(error)) return refuse(error.message, `waypost ${command.name} --help`);
    console.error(error);
    return 1;
  }
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function overview(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(8)}${summary}`);
  const more = 'Each says more about itself: "waypost <command> --help".';
  return ["Usage: waypost <command>", "", ...lines, "", more].join("\n");
}

function refuse(sentence: string, hint: string): ExitCode {
  console.error(`${sentence}\nSee "${hint}".`);
  return 2;
}

function isWrongUse(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ConfigError) return true;
  const { code: name = "" } = error as NodeJS.ErrnoException;
  return name.startsWith("ERR_PARSE_ARGS_");
}
