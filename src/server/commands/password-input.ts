import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandFailed, UsageError, type Terminal } from "./command.ts";

/**
 * A new password: typed twice without being shown where somebody sits, else the first line of the
 * standard input. Never a parameter, which other users of the machine could see.
 * @throws UsageError when there is none, CommandFailed
 */
export async function readNewPassword(terminal: Terminal): Promise<string> {
  if (terminal.input.isTTY) return askTwice(terminal);
  const [line = ""] = (await terminal.readInput()).split(/\r?\n/);
  if (line === "") throw new UsageError("Give the password on the first line of the input");
  return line;
}

async function askTwice({ input, notices }: Terminal): Promise<string> {
  // Readline takes the terminal's echo away, and shows its own to nobody.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  lines.on("SIGINT", () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    notices.write(question);
    const { value, done } = await typed.next();
    notices.write("\n");
    if (done) throw new CommandFailed("Nothing was changed");
    return value;
  };
  try {
    const password = await ask("New password: ");
    if ((await ask("Once more: ")) === password) return password;
  } finally {
    lines.close();
  }
  throw new CommandFailed("These were two different passwords; nothing was changed");
}
