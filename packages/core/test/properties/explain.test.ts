import fc from 'fast-check';
import { expect, it } from 'vitest';
import { explain } from '../../src/explain.ts';
import { encode } from '../../src/jwt.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from '../flows/doors.ts';
import { log, SECRET } from '../flows/scene.ts';

const NAME = 'authjs.session-token';
const env = { NODE_ENV: 'development' };
const config: AuthConfig = { providers: [], secret: SECRET, trustHost: true, logger: log() };

const token = (claims: object, maxAge = 600): Promise<string> =>
  encode({ token: { name: 'Ada', ...claims }, secret: SECRET, salt: NAME, maxAge });

function requestWith(cookies: Record<string, string>): Request {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  return new Request('http://localhost:3000/auth/session', { headers: { cookie: pairs.join('; ') } });
}

it.each(doors)('explain() agrees with GET session on 5,000 requests through $name', async ({ ask }) => {
  const tokens = await Promise.all([token({ sub: 'ada' }), token({ sub: 'ada' }, -100), token({})]);
  const values = ['', 'x', 'a.b.c', crypto.randomUUID(), ...tokens];
  const names = [NAME, `__Secure-${NAME}`, `${NAME}.0`, `${NAME}.1`, `${NAME}.x`, 'next-auth.session-token', 'theme'];
  const cookies = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...values), { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(cookies, async (sent) => {
      const answer = await ask(requestWith(sent), config, { development: true });
      const session: unknown = await answer.json();
      const { outcome, cause } = await explain(requestWith(sent), config, { env });
      expect(outcome).toBe(session === null ? 'no-session' : 'session');
      expect(answer.headers.get('latchkey-reason')).toBe(cause ?? null);
    }),
    { numRuns: 5000 },
  );
});
