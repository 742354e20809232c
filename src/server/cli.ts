#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { CommandFailed, UsageError, type Command, type ExitCode } from "./commands/command.ts";
import { ConfigError } from "./settings.ts";

/** Loaded one by one: most of a command's start is what it is made of. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  check: async () => (await import("./commands/check.ts")).check,
  connect: async () => (await import("./commands/connect.ts")).connect,
  agent: async () => (await import("./commands/agent.ts")).agent,
  stun: async () => (await import("./commands/stun.ts")).stun,
  backup: async () => (await import("./commands/backup.ts")).backup,
  restore: async () => (await import("./commands/restore.ts")).restore,
  admin: async () => (await import("./commands/admin.ts")).admin,
  "rotate-key": async () => (await import("./commands/rotate-key.ts")).rotateKeyCommand,
  openapi: async () => (await import("./commands/openapi.ts")).openapi,
};

const NAME_WIDTH = 2 + Math.max(...Object.keys(commands).map((name) => name.length));

enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/waypost"));

// A service that has been started decides itself when the process ends.
const code = await main(process.argv.slice(2));
if (code !== undefined) process.exitCode = code;

async function main([word, ...parameters]: readonly string[]): Promise<ExitCode> {
  if (word === undefined || isHelp(word)) {
    console.log(await overview());
    return word === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, word) ? await commands[word]?.() : undefined;
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
      input: process.stdin,
      notices: process.stderr,
    });
  } catch (error) {
    if (isWrongUse(error)) return refuse(error.message, `waypost ${command.name} --help`);
    console.error(error instanceof CommandFailed ? error.message : error);
    return 1;
  }
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = all.map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)}${summary}`);
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
