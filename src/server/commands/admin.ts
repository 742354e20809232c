import { parseArgs } from "node:util";
import { systemClock } from "../lib/clock.ts";
import { PasswordHasher } from "../lib/password-hasher.ts";
import { markInitialized } from "../system/set-up-mark.ts";
import { AccountConsole } from "../users/console.ts";
import { parseEmailAddress } from "../users/email-address.ts";
import type { ListedUser } from "../users/user.ts";
import { toAdminUser } from "../users/view.ts";
import { UsageError, type Command, type Terminal } from "./command.ts";
import { readNewPassword } from "./password-input.ts";
import { withStorage } from "./storage.ts";

const options = { json: { type: "boolean" }, user: { type: "boolean" } } as const;

interface Asked {
  terminal: Terminal;
  email: string;
  /** Without the rights of an administrator. */
  plain: boolean;
}

interface Done {
  users: ListedUser[];
  /** For people. */
  lines: string[];
}

const verbs: Readonly<Record<string, (asked: Asked) => Promise<Done>>> = {
  list: ({ terminal }) =>
    withConsole(terminal, false, async (console) => {
      const users = await console.list();
      return { users, lines: users.length === 0 ? ["There are no accounts"] : users.map(toLine) };
    }),
  create: async ({ terminal, email, plain }) => {
    const account = { email, password: await readNewPassword(terminal), isAdmin: !plain };
    return withConsole(terminal, true, async (console) => {
      const user = await console.create(account, async (tx) => {
        if (account.isAdmin) await markInitialized(tx, systemClock.now());
      });
      const kind = user.isAdmin ? "The administrator" : "The account";
      return { users: [user], lines: [`${kind} ${user.email} is made and can log in`] };
    });
  },
  "reset-password": async ({ terminal, email }) => {
    const password = await readNewPassword(terminal);
    return withConsole(terminal, false, async (console) => {
      const user = await console.resetPassword(email, password);
      return {
        users: [user],
        lines: [`${user.email} has the new password; every session of the account has ended`],
      };
    });
  },
  disable: ({ terminal, email }) => setDisabled(terminal, email, true),
  enable: ({ terminal, email }) => setDisabled(terminal, email, false),
};

export const admin: Command = {
  name: "admin",
  summary: "see and change accounts from the machine of the service",
  help: `Usage: waypost admin list [--json]
       waypost admin create [--user] [--json] <e-mail>
       waypost admin reset-password [--json] <e-mail>
       waypost admin disable|enable [--json] <e-mail>

Works on the database that the settings name, whether or not a service runs on it; what
changes, holds at once. Each change is noted in the audit log.

A password is asked for without being shown; where nobody sits at a terminal, it is the
first line of the standard input. A new password ends every session of the account.

  create      makes a verified administrator, and sets the system up if nobody has yet
    --user    an account without the rights of an administrator instead
  disable     ends every session, and lets nobody log in until it is enabled
  --json      the accounts as JSON

Ends with 0 when done, 1 when that was not possible, 2 when called in a wrong way.`,
  async run(parameters, terminal) {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      options,
      allowPositionals: true,
    });
    const [word = "", email, ...more] = positionals;
    const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
    if (!verb) throw new UsageError(`admin takes one of ${Object.keys(verbs).join(", ")}`);
    if ((email !== undefined) === (word === "list") || more.length > 0) {
      throw new UsageError(`admin ${word} takes ${word === "list" ? "no" : "one"} e-mail address`);
    }
    if (email !== undefined && !parseEmailAddress(email)) {
      throw new UsageError(`${email} is no e-mail address`);
    }
    if (values.user && word !== "create") throw new UsageError("--user belongs to admin create");
    const { users, lines } = await verb({
      terminal,
      email: email ?? "",
      plain: values.user === true,
    });
    if (values.json) terminal.out(JSON.stringify({ users: users.map(toAdminUser) }, null, 2));
    else for (const line of lines) terminal.out(line);
    return 0;
  },
};

function setDisabled(terminal: Terminal, email: string, disabled: boolean): Promise<Done> {
  return withConsole(terminal, false, async (console) => {
    const user = await console.setDisabled(email, disabled);
    const line = disabled
      ? `${user.email} is disabled; every session of the account has ended`
      : `${user.email} can log in again`;
    return { users: [user], lines: [line] };
  });
}

function withConsole<T>(
  terminal: Terminal,
  mayBeNew: boolean,
  work: (console: AccountConsole) => Promise<T>,
): Promise<T> {
  return withStorage(terminal, { mayBeNew }, async (database) => {
    const hasher = new PasswordHasher();
    const hashPassword = (password: string) => hasher.hash(password);
    try {
      const accounts = new AccountConsole({ database, clock: systemClock, hashPassword });
      return await work(accounts);
    } finally {
      await hasher.stop();
    }
  });
}

function toLine(user: ListedUser): string {
  const marks = [
    user.isAdmin ? "administrator" : "",
    user.verified ? "" : "not verified",
    user.disabled ? "disabled" : "",
    user.nodeCount > 0 ? `${user.nodeCount} node${user.nodeCount === 1 ? "" : "s"}` : "",
  ];
  return [user.email, ...marks.filter((mark) => mark !== "")].join(", ");
}
