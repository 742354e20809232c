import { DialError, type Connection, type Sockets } from "../../src/probe/sockets.ts";
import { ScriptedConnection } from "./scripted-connection.ts";

/** What happens at an address, and after how many milliseconds. Absent addresses never answer. */
export type Answers = Readonly<
  Record<string, { afterMs?: number; as: "opens" | Connection | Error }>
>;

/** A network of a test's own making. It heeds no signal, as a bad place might not. */
export class FakeSockets implements Sockets {
  readonly dialled: string[] = [];
  readonly opened: Connection[] = [];
  readonly #answers: Answers;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  async connect(address: string, port: number): Promise<Connection> {
    this.dialled.push(`${address} ${port}`);
    const answer = this.#answers[address];
    if (!answer) return new Promise(() => {});
    if (answer.afterMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, answer.afterMs));
    }
    if (answer.as instanceof Error) throw answer.as;
    const connection = answer.as === "opens" ? new ScriptedConnection([]) : answer.as;
    this.opened.push(connection);
    return connection;
  }
}

export const refused = new DialError("refused", "Connection refused");
