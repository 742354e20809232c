interface Question {
  id: number;
  question: string;
  parameters: never;
}

type Answerer = (parameters: never) => unknown;

/** Answers what the parent process asks, until the parent is gone. */
export function answerAsked(answerers: Record<string, Answerer>): void {
  const all: Record<string, Answerer> = { ...answerers, ready: () => null };
  process.on("message", (message) => void answer(all, message as Question));
  process.on("disconnect", () => process.exit());
}

async function answer(
  answerers: Record<string, Answerer>,
  { id, question, parameters }: Question,
): Promise<void> {
  try {
    const value = await answerers[question]?.(parameters);
    process.send?.({ id, value: value ?? null });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
}
