/**
 * Where accepted reports become durable. A batch is written whole or not at all, and batches are
 * folded into the tables later, in the order in which they were appended.
 */
export interface Journal {
  /**
   * Resolves once the batch would survive a power cut. One call at a time.
   * @throws JournalError when the batch is certainly not stored and never will be
   */
  append(batch: Buffer): Promise<void>;
  /** Brings everything appended so far into the tables. */
  fold(): Promise<void>;
  close(): Promise<void>;
}

/** The batch was not stored. `fatal`: the storage can no longer be trusted; the process must end. */
export class JournalError extends Error {
  readonly fatal: boolean;

  constructor(message: string, fatal: boolean) {
    super(message);
    this.name = "JournalError";
    this.fatal = fatal;
  }
}
