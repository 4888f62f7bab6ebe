/** Returns a response that sends each text as soon as it is there. */
export function textStream(texts: () => AsyncGenerator<string>): Response {
  const source = texts();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await source.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/plain' } });
}
