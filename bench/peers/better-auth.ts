import { loadPeer } from '../../test/peers/load.ts';
import type { Work } from '../race/work.ts';
import { claims, origin, secret } from '../visitor.ts';

interface BetterAuth {
  handler(request: Request): Promise<Response>;
}

const password = 'the-analytical-engine';
const form = { name: claims.name, email: claims.email, password };

/**
 * better-auth in its mode without a database: sessions in encrypted cookies, users in memory. Passwords are not hashed.
 */
async function made(): Promise<BetterAuth> {
  const { betterAuth } = await loadPeer<{ betterAuth(options: object): BetterAuth }>('better-auth', 'better-auth');
  const { memoryAdapter } = await loadPeer<{ memoryAdapter(tables: object): unknown }>(
    'better-auth',
    'better-auth/adapters/memory',
  );
  return betterAuth({
    secret,
    baseURL: origin,
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    session: { cookieCache: { enabled: true, strategy: 'jwe', maxAge: 3600 } },
    emailAndPassword: { enabled: true, password: { hash: async (text: string) => text, verify: verifies } },
    socialProviders: { github: { clientId: 'id', clientSecret: 'secret' } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}

async function verifies({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  return hash === password;
}

function post(path: string, body: object): Request {
  const headers = { 'content-type': 'application/json', origin };
  return new Request(`${origin}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function workOf(run: () => Promise<Response>, contains: string): Work {
  return {
    run,
    async answer() {
      const text = await (await run()).text();
      if (!text.includes(contains)) throw new Error(`better-auth: not "${contains}": ${text}`);
      return text;
    },
  };
}

/** `GET session` by the encrypted cookie. Unlike Latchkey, better-auth does not seal it again each time. */
export async function readSession(): Promise<Work> {
  const { handler } = await made();
  const answer = await handler(post('/sign-up/email', form));
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ');
  return workOf(() => handler(new Request(`${origin}/api/auth/get-session`, { headers: { cookie } })), claims.email);
}

/** Sign-in by address and password. */
export async function signInByPassword(): Promise<Work> {
  const { handler } = await made();
  await handler(post('/sign-up/email', form));
  return workOf(() => handler(post('/sign-in/email', { email: claims.email, password })), claims.email);
}

/** The redirect to GitHub. */
export async function signInSocial(): Promise<Work> {
  const { handler } = await made();
  return workOf(() => handler(post('/sign-in/social', { provider: 'github', callbackURL: '/' })), 'code_challenge');
}
