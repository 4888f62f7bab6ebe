import { afterEach, expect, it, vi } from 'vitest';
import { encode } from '../../src/jwt.ts';

const secret = 'a-secret-of-more-than-32-characters';
const cookieName = 'authjs.session-token';

afterEach(() => {
  vi.doUnmock('../../src/config/redact.ts');
  vi.resetModules();
});

it('a session is none the worse for a log line that cannot be written', async () => {
  vi.resetModules();
  vi.doMock('../../src/config/redact.ts', () => {
    throw new Error('gone since the update');
  });
  const { readSession } = await import('../../src/binding.ts');
  const debug = vi.fn();
  const token = await encode({ token: { name: 'Ada' }, secret, salt: cookieName });
  const session = await readSession(
    { config: { providers: [], trustHost: true, secret, logger: { debug } }, call: {} },
    {
      origin: 'http://localhost',
      basePath: '/auth',
      cookie: `${cookieName}=${token}`,
      setCookie: () => {
        throw new Error('headers have been sent');
      },
    },
  );
  expect(session).toMatchObject({ user: { name: 'Ada' } });
  expect(debug).not.toHaveBeenCalled();
});
