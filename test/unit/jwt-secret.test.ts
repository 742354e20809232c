import { symlink, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "../../src/server/settings.ts";
import { JWT_SECRET_FILE, loadJwtSecret } from "../../src/server/system/jwt-secret.ts";

describe("the set-up secret", () => {
  let folder: string;
  let dataDir: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-secret-"));
    dataDir = join(folder, "data");
    file = join(dataDir, JWT_SECRET_FILE);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const load = (jwtSecret?: string) => loadJwtSecret({ jwtSecret, dataDir });

  test("is the configured one, and then nothing is written", async () => {
    const secret = "configured, thirty-two characters";
    expect(await load(secret)).toEqual({ secret, generated: false });
    expect(await readdir(folder)).toEqual([]);
  });

  test("is made at the first start, for the owner's eyes only, and stays", async () => {
    const first = await load();
    expect(first).toEqual({ secret: expect.stringMatching(/^[\w-]{43}$/), generated: true });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await load()).toEqual({ secret: first.secret, generated: false });
    expect(await readdir(dataDir)).toEqual([JWT_SECRET_FILE]);
  });

  test("is one although several processes start at once", async () => {
    const secrets = await Promise.all(Array.from({ length: 16 }, () => load()));
    expect(new Set(secrets.map((each) => each.secret)).size).toBe(1);
    expect(secrets.filter((each) => each.generated)).toHaveLength(1);
    expect((await readFile(file, "utf8")).trim()).toBe(secrets[0]?.secret);
    expect(await readdir(dataDir)).toEqual([JWT_SECRET_FILE]);
  });

  test("may be put there by hand, with a line end", async () => {
    await load();
    await writeFile(file, "by hand, more than thirty-two characters\n");
    expect((await load()).secret).toBe("by hand, more than thirty-two characters");
  });

  test.each(["", "short\n"])("is refused when the file holds %j", async (content) => {
    await load();
    await writeFile(file, content);
    await expect(load()).rejects.toThrow(ConfigError);
    await expect(load()).rejects.toThrow(/at least 32 characters/);
  });

  test("stops the start when the file cannot be read", async () => {
    await writeFile(join(folder, "no-folder"), "");
    const inFile = loadJwtSecret({ jwtSecret: undefined, dataDir: join(folder, "no-folder") });
    await expect(inFile).rejects.toThrow(ConfigError);
    await expect(inFile).rejects.toThrow(/jwt-secret cannot be/);
  });

  test("stops the start when the folder cannot be made", async () => {
    const link = join(folder, "link");
    await symlink(join(folder, "gone", "for", "good"), link);
    const nowhere = loadJwtSecret({ jwtSecret: undefined, dataDir: link });
    await expect(nowhere).rejects.toThrow(ConfigError);
    await expect(nowhere).rejects.toThrow(/cannot be written/);
  });
});
