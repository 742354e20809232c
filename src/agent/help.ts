import { options } from "./options.ts";

const WIDTH = 30;

function line(left: string, right: string): string {
  return `  ${left.padEnd(WIDTH)}${right}`;
}

const settings = Object.values(options).flatMap(({ flag, value, variable, fallback, about }) => [
  line(`--${flag} ${value}`, about),
  line("", fallback === "" ? variable : `${variable}; ${fallback} if not given`),
]);

export const help = `Usage: waypost agent [options]
       node agent.mjs [options]

Reports a node to a Waypost service until it is told to end, then that the node is
offline. What was reported stands in a journal, so that a crash of either side
neither loses traffic nor counts it twice.

${line("--once", "send one report and end; 1 when it was not taken")}
${line("--print", "show what would be sent, send nothing")}
${line("--check", "test the settings, the source, the journal and the way to the service")}

The report token is given in WAYPOST_REPORT_TOKEN or in a file, never as a parameter:
others on this machine see those. Each setting may stand in the environment instead:

${settings.join("\n")}

Ends with 0 when told to, 1 when something could not be done, 2 when called in a wrong
way. What happens is written to the standard error, one line of JSON each.`;
