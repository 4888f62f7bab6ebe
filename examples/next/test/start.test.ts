import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort, runDemo, startDemo, testFolder } from '../../shared/test/demo.ts';

describe('the Next.js demo', () => {
  it('reports in one line that its port is in use, before it builds anything', async () => {
    const server = createServer().listen(0, 'localhost');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const { code, output } = await runDemo('next', { PORT: String(port), DATA_DIR: testFolder() });
    expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`^Port ${port} is in use: .+\\n$`))]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends with %s, and its server with it',
    async (signal) => {
      const { origin, output, stop } = await startDemo('next', await freePort(), testFolder());
      onTestFinished(async () => void (await stop('SIGKILL')));
      expect(output()).toContain(`Open  ${origin}\n`);
      expect((await fetch(`${origin}/sign-in`)).status).toBe(200);
      await stop(signal);
      await expect.poll(() => fetch(origin).catch(() => 'gone')).toBe('gone');
    },
    1_200_000,
  );
});
