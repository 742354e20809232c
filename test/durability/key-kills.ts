import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openShown, SealedStorage } from "../support/sealed-storage.ts";

const program = fileURLToPath(new URL("./key-crasher.ts", import.meta.url));
const steps = ["write 2 keys", "update callback_accounts", "commit", "write 1 keys", "end"];

/** The test of a kill at points of a change of the key. @param only steps before which it is killed; all when left out */
export function testKeyKills(deadlineMs: number, only?: readonly string[]): void {
  test.each(["sqlite", "postgres"] as const)(
    "a change of the key that is killed leaves what the keys in the folder open, and ends when called again (%s)",
    async (dialect) => {
      const storage = await SealedStorage.prepare(dialect);
      try {
        const names = JSON.parse((await rotate(storage, -1)).out) as string[];
        expect(names).toEqual(expect.arrayContaining(steps));
        for (const [point, name] of names.entries()) {
          if (only && !only.includes(name)) continue;
          expect([name, (await rotate(storage, point)).signal]).toEqual([name, "SIGKILL"]);
          expect([name, await storage.shown()]).toEqual([name, openShown]);
          expect((await rotate(storage, -1)).code).toBe(0);
          expect(await storage.filedKeys()).toHaveLength(1);
        }
        expect(await storage.shown()).toEqual(openShown);
      } finally {
        await storage.remove();
      }
    },
    deadlineMs,
  );
}

async function rotate({ folder, place }: SealedStorage, crashAt: number) {
  const child = spawn(process.execPath, [program, folder, place, String(crashAt)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code: child.exitCode, signal: child.signalCode, out };
}
