/** Returns a text that is sent piece by piece. The work for a piece begins when the server has sent the one before. */
export function streamed(pieces: AsyncIterator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'text/plain' } });
}
