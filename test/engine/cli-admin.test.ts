import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";
import { logIn, sessionStatus, tryLogIn } from "../support/accounts.ts";
import { program, waypost, type Ending } from "../support/command-line.ts";
import { newEmptyPostgresDatabase } from "../support/postgres.ts";

const ADMIN = "admin@example.com";
const PASSWORD = "the password of the administrator";

describe.each(["sqlite", "postgres"] as const)(
  "waypost admin beside a service on %s",
  (dialect) => {
    let folder: string;
    let env: Record<string, string>;
    let service: ServiceProcess;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "waypost-admin-"));
      env = { WAYPOST_DATA_DIR: join(folder, "data") };
      if (dialect === "postgres") env["WAYPOST_DATABASE_URL"] = await newEmptyPostgresDatabase();
    });
    afterAll(async () => {
      await service.terminate();
      await rm(folder, { recursive: true });
    });

    const admin = (parameters: string[], input = ""): Promise<Ending> =>
      waypost(["admin", ...parameters], { env, input });
    const statusOf = async (email: string, password: string) =>
      (await tryLogIn(service, email, password)).status;

    test("sets up a system that has never run: nobody else can afterwards", async () => {
      expect(await admin(["create", ADMIN], `${PASSWORD}\nand more\n`)).toEqual({
        code: 0,
        out: `The administrator ${ADMIN} is made and can log in\n`,
        err: "",
      });
      service = await ServiceProcess.start(
        { PORT: "0", LOG_LEVEL: "silent", RATE_LIMIT: "off" },
        env,
      );
      expect(service.said).toContain("It is set up");
      expect(await statusOf(ADMIN, PASSWORD)).toBe(200);
    });

    test("makes accounts while the service runs, and lists them", async () => {
      const made = await admin(["create", "--user", "--json", "ann@example.com"], "another one");
      expect(JSON.parse(made.out)).toEqual({
        users: [
          {
            id: expect.any(Number),
            email: "ann@example.com",
            is_admin: false,
            verified: true,
            disabled: false,
            node_count: 0,
            created_at: expect.stringMatching(/^\d{4}-.*Z$/),
          },
        ],
      });
      const again = await admin(["create", "Ann@Example.com"], "another one");
      expect([again.code, again.err]).toEqual([1, "Ann@Example.com has an account already\n"]);
      expect((await admin(["list"])).out).toBe(`${ADMIN}, administrator\nann@example.com\n`);
      expect(JSON.parse((await admin(["list", "--json"])).out)).toMatchObject({
        users: [{ email: ADMIN, is_admin: true }, { email: "ann@example.com" }],
      });
      expect(await statusOf("ann@example.com", "another one")).toBe(200);
    });

    test("a new password holds at once, and sessions from before end at once", async () => {
      const session = await logIn(service, "ann@example.com", "another one");
      const short = await admin(["reset-password", "ann@example.com"], "short\n");
      expect([short.code, short.err]).toEqual([1, "password: must have at least 8 characters\n"]);
      expect(await sessionStatus(service, session)).toBe(200);

      const done = await admin(["reset-password", "ann@example.com"], "a third one\n");
      expect([done.code, done.err]).toEqual([0, ""]);
      expect(await sessionStatus(service, session)).toBe(401);
      expect(await statusOf("ann@example.com", "another one")).toBe(401);
      expect(await statusOf("ann@example.com", "a third one")).toBe(200);
    });

    test("a disabled account is out at once, until it is enabled", async () => {
      const session = await logIn(service, "ann@example.com", "a third one");
      expect((await admin(["disable", "ann@example.com"])).code).toBe(0);
      expect(await sessionStatus(service, session)).toBe(401);
      expect(await statusOf("ann@example.com", "a third one")).toBe(403);
      expect((await admin(["list"])).out).toContain("ann@example.com, disabled");
      expect((await admin(["enable", "ann@example.com"])).code).toBe(0);
      expect(await statusOf("ann@example.com", "a third one")).toBe(200);
      expect(await sessionStatus(service, session)).toBe(401);
    });

    test("leaves the last administrator in place, and says who has no account", async () => {
      const last = await admin(["disable", ADMIN]);
      expect([last.code, last.err]).toEqual([1, expect.stringContaining("the last administrator")]);
      const nobody = await admin(["enable", "bob@example.com"]);
      expect([nobody.code, nobody.err]).toEqual([1, "bob@example.com has no account\n"]);
    });

    test("each change is in the audit log", async () => {
      const token = await logIn(service, ADMIN, PASSWORD);
      const { body } = await service.request("GET", "/api/admin/audit", { token });
      const entries = body.entries as { actor: string; action: string; actor_id: number | null }[];
      const mine = entries.filter((entry) => entry.actor === "waypost admin");
      expect(mine.map(({ action }) => action)).toEqual([
        "user.update",
        "user.update",
        "user.reset_password",
        "user.create",
        "user.create",
      ]);
      expect(mine.every((entry) => entry.actor_id === null)).toBe(true);
    });

    test("a service of another version keeps its schema: nobody changes it under its feet", async () => {
      const forget = "delete from migrations where name = (select max(name) from migrations)";
      if (dialect === "postgres") {
        const database = new pg.Client(env["WAYPOST_DATABASE_URL"]);
        await database.connect();
        await database.query(forget);
        await database.end();
      } else {
        new Database(join(folder, "data", "waypost.db")).exec(forget).close();
      }
      const { code, err } = await admin(["list"]);
      expect([code, err]).toEqual([
        1,
        expect.stringContaining("The service that runs on this database is of another version"),
      ]);
    });
  },
);

test("a data folder without a database is told from an empty one", async () => {
  const { code, err } = await waypost(["admin", "list"], {
    env: { WAYPOST_DATA_DIR: "/nowhere/at/all" },
  });
  expect([code, err]).toEqual([1, expect.stringMatching(/^There is no database at .*waypost\.db/)]);
});

describe("waypost admin at a terminal", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-terminal-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** A person at a pseudo-terminal who answers each question. */
  async function sit(parameters: string, answers: readonly string[]) {
    const command = `${process.execPath} ${program} ${parameters}`;
    const child: ChildProcess = spawn("script", ["-qec", command, "/dev/null"], {
      env: { ...process.env, WAYPOST_DATA_DIR: folder },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let seen = "";
    let answered = 0;
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      seen += chunk;
      while ([...seen.matchAll(/(?:password|more): /g)].length > answered) {
        child.stdin?.write(answers[answered++] ?? "");
      }
    });
    await once(child, "close");
    return { code: child.exitCode, seen };
  }

  test("a password is typed twice, and nobody sees it", async () => {
    const { code, seen } = await sit("admin create ann@example.com", [
      "typed well\r",
      "typed well\r",
    ]);
    expect(code).toBe(0);
    expect(seen).toBe(
      "New password: \r\nOnce more: \r\nThe administrator ann@example.com is made and can log in\r\n",
    );
  });

  test.each([
    ["two different ones", ["typed well\r", "typed badly\r"], "two different passwords"],
    ["Ctrl-C", ["typed w\u0003"], "Nothing was changed"],
    ["Ctrl-D", ["\u0004"], "Nothing was changed"],
  ])("%s: nothing changes", async (_how, answers, sentence) => {
    const { code, seen } = await sit("admin reset-password ann@example.com", answers);
    expect(code).toBe(1);
    expect(seen).toContain(sentence);
    expect(seen).not.toContain("typed");
  });
});
