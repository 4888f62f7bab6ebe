/** The handlers of a process, by question. */
export type Answers = Readonly<Record<string, () => unknown>>;

/** In a process of a {@link Child}: answers its questions, and ends with the one who asks. */
export function answerQuestions(answers: Answers): void {
  process.on('message', async ({ id, question }: { id: number; question: string }) => {
    const answer = await answers[question]?.();
    process.send?.({ id, answer }, () => undefined);
  });
  process.on('disconnect', () => process.exit(0));
}

/** Sends a message that is not a response. Resolves when it has been sent. */
export function say(what: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) return reject(new Error('no process listens'));
    process.send({ say: what }, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}
