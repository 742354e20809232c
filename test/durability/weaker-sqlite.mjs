/**
 * Preloaded to show that the power-cut test can fail: SQLite flushes at checkpoints only
 * (`synchronous=NORMAL`), although the program asks for more and is told that it has it.
 */
import Database from "better-sqlite3";

const { value: asked } = Object.getOwnPropertyDescriptor(Database.prototype, "pragma");

Database.prototype.pragma = function weaker(source, options) {
  if (source.trim() === "synchronous") return 2;
  const weakened = /synchronous\s*=/.test(source) ? "synchronous = NORMAL" : source;
  return asked.call(this, weakened, options);
};
