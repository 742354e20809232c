import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseConfig } from "../../src/server/config.ts";
import { SealedBox } from "../../src/server/lib/sealed-box.ts";
import { loadSealKeys, SECRET_KEY_FILE, toSealKey } from "../../src/server/system/secret-key.ts";

const OLD = "an-old-key-of-more-than-32-characters";
const NEW = "a-new-key-of-more-than-32-characters!";

describe("the keys of stored credentials", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "waypost-key-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const load = (...keys: string[]) => {
    const [first, ...rest] = keys;
    return loadSealKeys({
      secretKeys: first === undefined ? undefined : [first, ...rest],
      dataDir,
    });
  };

  test("are made at the first start, for the owner's eyes only, and stay", async () => {
    const [key] = await load();
    expect((await stat(join(dataDir, SECRET_KEY_FILE))).mode & 0o777).toBe(0o600);
    expect(await load()).toEqual([key]);
    expect(key.bytes).toHaveLength(32);
  });

  test("come from the setting, the current one first", async () => {
    const { secretKeys } = parseConfig({ WAYPOST_SECRET_KEY: `${NEW} ${OLD}` });
    expect(secretKeys).toEqual([NEW, OLD]);
    expect(await load(NEW, OLD)).toEqual([toSealKey(NEW), toSealKey(OLD)]);
  });

  test("may be several in the file, so that old texts open until they are sealed anew", async () => {
    const sealed = new SealedBox([toSealKey(OLD)]).seal("text", "place");
    await writeFile(join(dataDir, SECRET_KEY_FILE), `${NEW}\n${OLD}\n`);
    const box = new SealedBox(await load());
    expect(box.open(sealed, "place")).toBe("text");
    expect(box.keyIdOf(sealed)).toBe(toSealKey(OLD).id);
    expect(box.keyIdOf(box.seal("text", "place"))).toBe(toSealKey(NEW).id);
  });

  test("are refused when one of them is short, in the setting and in the file", async () => {
    expect(() => parseConfig({ WAYPOST_SECRET_KEY: `${NEW} short` })).toThrow(
      /WAYPOST_SECRET_KEY must hold keys of at least 32 characters/,
    );
    await writeFile(join(dataDir, SECRET_KEY_FILE), `${NEW}\nshort\n`);
    await expect(load()).rejects.toThrow(/secret-key in the data folder must hold keys/);
    await writeFile(join(dataDir, SECRET_KEY_FILE), "short\n");
    await expect(load()).rejects.toThrow(/put the key back/);
  });

  test("differ in every bit from their names and from each other", () => {
    const { id, bytes } = toSealKey(NEW);
    expect(bytes.toString("hex")).not.toContain(id);
    expect(toSealKey(OLD).bytes.equals(bytes)).toBe(false);
  });
});
