import * as latchkey from '@latchkey/express';
import Credentials from '@latchkey/express/providers/credentials';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadPeer } from '../../../test/peers/load.ts';
import { configuration, frameworks, secret, serve, signIn } from './site.ts';

const authjs = await loadPeer<typeof latchkey>('authjs', '@auth/express');
const { default: PeerCredentials } = await loadPeer<{ default: typeof Credentials }>(
  'authjs',
  '@auth/express/providers/credentials',
);
const [[, express]] = frameworks as [(typeof frameworks)[0]];

/** An application of either package; both have the same secret and, on one machine, share their cookies. */
async function site({ ExpressAuth, getSession }: typeof latchkey, provider: typeof Credentials) {
  const config = configuration({
    logger: undefined,
    providers: [
      provider({
        credentials: { name: {}, password: {} },
        authorize: ({ name }) => ({ id: '1', name: String(name), email: 'ada@example.com' }),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, role: 'countess' } : token),
      session: ({ session, token }) => ({ ...session, role: token['role'] }),
    },
  });
  const app = express();
  app.use('/auth', ExpressAuth(config));
  app.get('/', async (request, response) => void response.json(await getSession(request, config)));
  return (await serve(app)).browser;
}

const ours = () => site(latchkey, Credentials);
const theirs = () => site(authjs, PeerCredentials);

describe.each([
  ['@auth/express', '@latchkey/express', theirs, ours],
  ['@latchkey/express', '@auth/express', ours, theirs],
])('who signed in with %s', (_from, _to, from, to) => {
  beforeAll(() => void vi.stubEnv('AUTH_SECRET', secret));
  afterAll(() => void vi.unstubAllEnvs());

  it('is signed in with %s, and may sign out there', async () => {
    const [before, after] = [await from(), await to()];
    await signIn(before);
    // The jar goes by host, not by port, as in every browser.
    const moved = before.clone();
    const open = (path: string) => moved.get(new URL(path, after.origin));

    const expected = { user: { name: 'Ada', email: 'ada@example.com' }, role: 'countess' };
    expect((await before.get('/')).json()).toMatchObject(expected);
    expect((await open('/')).json()).toMatchObject(expected);
    expect((await open('/auth/session')).json()).toMatchObject(expected);

    // The form of one is good for the other: its CSRF cookie is known, too.
    const page = await before.get('/auth/signout');
    const csrfToken = moved.form(page).value('csrfToken') ?? '';
    await moved.post(new URL('/auth/signout', after.origin), { csrfToken });
    expect((await open('/auth/session')).json()).toBe(null);
  });

  it('stays signed in when the session has been renewed by the other', async () => {
    const [before, after] = [await from(), await to()];
    await signIn(before);
    const renewed = await before.get(new URL('/auth/session', after.origin));
    expect(renewed.cookie('authjs.session-token')?.value).toMatch(/^ey/);
    expect((await before.get('/auth/session')).json()).toMatchObject({ user: { name: 'Ada' }, role: 'countess' });
  });
});
