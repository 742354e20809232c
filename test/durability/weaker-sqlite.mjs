/**
 * Preloaded to show that the power-cut test can fail: SQLite flushes at checkpoints only
 * (`synchronous=NORMAL`), although the program asks for more and is told that it has it.
 */
import Database from "better-sqlite3";

const { prototype } = Database;
const asked = prototype.pragma;

prototype.pragma = function weaker(source, options) {
  if (/synchronous\s*=/.test(source)) return asked.call(this, "synchronous = NORMAL", options);
  if (source.trim() === "synchronous") return 2;
  return asked.call(this, source, options);
};
