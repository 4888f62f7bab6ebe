import { type Env, serializeCookie } from '@latchkey/core/binding';
import { encode } from '@latchkey/core/jwt';
import type { RequestEvent } from '@sveltejs/kit';
import { describe, expect, it, vi } from 'vitest';
import { config } from './kit/scene.ts';

vi.mock('../src/kit.ts', () => ({
  kitBase: () => '',
  environment: async (given: Env = {}) => given,
  isBuilding: async () => false,
}));
// Another file of this worker may have loaded the modules without the mock, or with its own.
vi.resetModules();
const { SvelteKitAuth } = await import('../src/sveltekit-auth.ts');

const SESSION = 'authjs.session-token';

/**
 * A request of Ada, or of a visitor without a session. Its cookies, and the `Set-Cookie` headers of the answer, are
 * kept as Kit keeps them.
 */
async function visitOfAda(method = 'GET', isSignedIn = true) {
  const token = await encode({ token: { name: 'Ada' }, secret: String(config().secret), salt: SESSION });
  const jar = new Map(isSignedIn ? [[SESSION, token]] : []);
  const lines = ['theme=dark'];
  const event = {
    request: new Request('http://localhost:3000/', {
      method,
      headers: isSignedIn ? { cookie: `${SESSION}=${token}` } : {},
    }),
    cookies: {
      getAll: () => [...jar].map(([name, value]) => ({ name, value })),
      set(name: string, value: string, options: object) {
        jar.set(name, value);
        lines.push(serializeCookie({ name, value, options }));
      },
    },
    locals: {},
    getClientAddress: () => '127.0.0.1',
  } as unknown as RequestEvent;
  return { event, jar, lines };
}

/** Answers Ada's request for a page, as Kit does: with the cookies that were set. */
async function page(headers: Record<string, string>, reads = true, updateAge = 0): Promise<Response> {
  const { event, lines } = await visitOfAda();
  const { handle } = SvelteKitAuth(config({ session: { updateAge } }));
  return handle({
    event,
    async resolve({ locals }) {
      if (reads) expect(await locals.auth()).toMatchObject({ user: { name: 'Ada' } });
      const response = new Response('page', { headers });
      for (const line of lines) response.headers.append('set-cookie', line);
      return response;
    },
  });
}

function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** The names of an answer's cookies, and its `Cache-Control`. */
function parts({ headers }: Response): [names: (string | undefined)[], cacheControl: string | null] {
  return [headers.getSetCookie().map((line) => line.split('=')[0]), headers.get('cache-control')];
}

describe('a page that reads the session', () => {
  it('is kept out of shared caches', async () => {
    const response = await page({});
    expect(parts(response)).toEqual([['theme', SESSION], 'private, no-store']);
    expect(await response.text()).toBe('page');
  });

  it('keeps the header of the application', async () => {
    const cacheControl = 'private, max-age=60';
    expect(parts(await page({ 'cache-control': cacheControl }))).toEqual([['theme', SESSION], cacheControl]);
  });

  it.each([{ 'cache-control': 'public, max-age=60' }, { 'cdn-cache-control': 'max-age=60' }] as Record<
    string,
    string
  >[])('has no session cookie if a shared cache may keep it: %j', async (headers) => {
    const response = await page(headers);
    expect(parts(response)[0]).toEqual(['theme']);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  });

  it('is also kept out of shared caches if no cookie is due', async () => {
    expect(parts(await page({}, true, 3600))).toEqual([['theme'], 'private, no-store']);
    const shared = await page({ 'cache-control': 'public, max-age=60' }, true, 3600);
    expect(parts(shared)).toEqual([['theme'], 'public, max-age=60']);
  });

  it('is kept out of shared caches for a visitor without a session, too', async () => {
    const { event } = await visitOfAda('GET', false);
    const resolve = async ({ locals }: RequestEvent) => Response.json(await locals.auth());
    expect(parts(await SvelteKitAuth(config()).handle({ event, resolve }))).toEqual([[], 'private, no-store']);
  });

  it('is unchanged if a visitor without a session opens it, and it does not read the session', async () => {
    const { event } = await visitOfAda('GET', false);
    const resolve = async () => new Response('page');
    expect(parts(await SvelteKitAuth(config()).handle({ event, resolve }))).toEqual([[], null]);
  });

  it('is kept out of shared caches for a signed-in visitor, because it may read the session when it has been sent', async () => {
    expect(parts(await page({}, false))).toEqual([['theme'], 'private, no-store']);
    expect(parts(await page({ 'cache-control': 'public' }, false))).toEqual([['theme'], 'public']);
  });
});

it.each([
  { 'cache-control': 'public, max-age=60' },
  { 'cache-control': 'private', 'cdn-cache-control': 'max-age=60' },
] as Record<string, string>[])('a sign-out counts on a page that shared caches would keep: %j', async (headers) => {
  const { event, lines } = await visitOfAda('POST');
  const { handle, signOut } = SvelteKitAuth(config());
  const form = new FormData();
  form.set('redirect', 'false');
  const response = await handle({
    event,
    async resolve() {
      await signOut(event, form);
      const made = new Response('page', { headers });
      for (const line of lines) made.headers.append('set-cookie', line);
      return made;
    },
  });
  expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(`^${SESSION}=;`));
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('cdn-cache-control')).toBeNull();
});

it('a session cookie that a neighbor has planted does not hide that of the visitor from an update', async () => {
  const { event, jar } = await visitOfAda('POST');
  event.request.headers.set('cookie', `${SESSION}=planted; ${SESSION}=${jar.get(SESSION)}`);
  // Kit keeps the first.
  jar.set(SESSION, 'planted');
  expect(await SvelteKitAuth(config()).update(event, {})).toMatchObject({ user: { name: 'Ada' } });
});

it('a session that was read before a sign-out is not restored after it', async () => {
  const reading = gate();
  const released = gate();
  const own = config({
    callbacks: {
      async session({ session }) {
        reading.open();
        await released.opened;
        return session;
      },
    },
  });
  const { event, jar } = await visitOfAda('POST');
  const { auth, signOut } = SvelteKitAuth(own);
  const form = new FormData();
  form.set('redirect', 'false');

  const early = auth(event);
  await reading.opened;
  await signOut(event, form);
  expect(jar.get(SESSION)).toBe('');
  released.open();
  expect(await early).toMatchObject({ user: { name: 'Ada' } });
  expect(jar.get(SESSION)).toBe('');
  expect(await auth(event)).toBeNull();
});
