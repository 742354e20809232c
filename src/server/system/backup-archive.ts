import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { create, extract, type Unpack } from "tar";
import { MANIFEST, type BackupManifest, type BackupPart } from "./backup-manifest.ts";

/** The archive is damaged, or none of ours. The message goes on after "The backup ". */
export class ArchiveError extends Error {}

/** Told of bytes as they pass. */
export type OnBytes = (sizeBytes: number) => void;

/** Size and sum of a file in `folder`. */
export async function describePart(folder: string, name: string): Promise<BackupPart> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(join(folder, name))) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { name, size_bytes: size, sha256: hash.digest("hex") };
}

/**
 * Writes the manifest and the parts that it names, all in `folder`, to a compressed tar file. It is on
 * the disk when this resolves, readable by its owner only.
 */
export async function packArchive(
  folder: string,
  manifest: BackupManifest,
  archive: string,
  onBytes: OnBytes,
): Promise<void> {
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  const names = [MANIFEST, ...manifest.parts.map(({ name }) => name)];
  const packed = create({ cwd: folder, portable: true, strict: true }, names);
  const count = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      onBytes(chunk.length);
      yield chunk;
    }
  };
  const output = createWriteStream(archive, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(packed, count, createGzip({ level: constants.Z_BEST_SPEED }), output);
}

/**
 * Unpacks files into `folder`.
 * @param names what may be in the archive
 * @throws ArchiveError
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  names: ReadonlySet<string>,
  onBytes: OnBytes,
): Promise<void> {
  const strangers: string[] = [];
  const unpack = extract({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    noMtime: true,
    // A file of empty pages may be packed as tightly as the method can.
    maxDecompressionRatio: Infinity,
    filter: (path, entry) => {
      const isExpected = names.has(path) && "type" in entry && entry.type === "File";
      if (!isExpected) strangers.push(path);
      return isExpected;
    },
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  unpack.on("close", resolve).on("error", reject);
  try {
    await Promise.all([feed(unpack, archive, ended, onBytes), ended]);
  } catch (error) {
    throw toArchiveError(error);
  }
  if (strangers.length > 0) {
    throw new ArchiveError(`holds ${strangers[0]}, which does not belong there`);
  }
}

async function feed(
  unpack: Unpack,
  archive: string,
  ended: Promise<void>,
  onBytes: OnBytes,
): Promise<void> {
  for await (const chunk of createReadStream(archive)) {
    const bytes = chunk as Buffer;
    onBytes(bytes.length);
    if (!unpack.write(bytes)) await Promise.race([once(unpack, "drain"), ended]);
  }
  unpack.end();
}

/** What the system refuses stays what it is: the archive is not to blame for a full disk. */
function toArchiveError(error: unknown): Error {
  const { syscall, code, message } = error as NodeJS.ErrnoException;
  const isOfSystem = syscall !== undefined && code !== undefined;
  return isOfSystem
    ? (error as Error)
    : new ArchiveError(`is damaged, or is no backup: ${message}`);
}
