import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('../../src/entry/body.ts');
  vi.resetModules();
});

it('a part that cannot be loaded is no fault of the visitor, and is tried again', async () => {
  vi.resetModules();
  vi.doMock('../../src/entry/body.ts', () => {
    throw new Error('gone since the update');
  });
  const { Auth } = await import('../../src/index.ts');
  const error = vi.fn();
  const config = {
    providers: [],
    trustHost: true,
    secret: 'a-secret-of-more-than-32-characters',
    logger: { error, warn: () => undefined },
  };
  const ask = (): Promise<Response> => Auth(new Request('http://localhost/auth/signout', { method: 'POST' }), config);
  const answer = await ask();
  expect([answer.status, await answer.json()]).toEqual([500, { message: "The server's log tells what is wrong." }]);
  expect(error.mock.calls.map(([one]) => String(one))).toEqual([expect.stringContaining('could not be loaded')]);
  vi.doUnmock('../../src/entry/body.ts');
  expect((await ask()).headers.get('location')).toContain('error=MissingCSRF');
});
