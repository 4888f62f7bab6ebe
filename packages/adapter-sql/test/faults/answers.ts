/** In a program that a test has started: answers questions with text or with the error as text. */
export function answers(answer: (question: string) => Promise<string>, close: () => Promise<void>): void {
  process.on('message', async (question) => {
    process.send?.(await answer(String(question)).catch(String));
  });
  process.on('disconnect', close);
}
