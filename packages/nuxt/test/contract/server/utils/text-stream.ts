/** Returns a stream of the texts that `work` writes. */
export function textStream(work: (write: (text: string) => void) => Promise<void>): ReadableStream {
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      void Promise.resolve()
        .then(() => work(write))
        .finally(() => controller.close());
    },
  });
}
