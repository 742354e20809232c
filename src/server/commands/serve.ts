import { UsageError, type Command } from "./command.ts";

export const serve: Command = {
  name: "serve",
  summary: "run the service until it is told to end",
  help: `Usage: waypost serve

Runs the service, as "npm start" does. Its settings are environment variables;
docs/configuration.md lists them.`,
  async run(parameters) {
    if (parameters.length > 0) throw new UsageError("serve takes nothing but settings");
    await import("../main.ts");
    return undefined;
  },
};
