/** Returns a response whose text is written after its head was sent. */
export function stream(work: (write: (text: string) => void) => Promise<void>): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const encoder = new TextEncoder();
      await work((text) => controller.enqueue(encoder.encode(text)));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/plain' } });
}
