import { help } from "../../agent/help.ts";
import { agentProcess } from "../../agent/process.ts";
import type { Command } from "./command.ts";

export const agent: Command = {
  name: "agent",
  summary: "report a node to a service",
  help,
  run: (parameters) => agentProcess(parameters),
};
