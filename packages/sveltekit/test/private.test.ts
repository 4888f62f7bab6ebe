import { serializeCookie } from '@latchkey/core/binding';
import { encode } from '@latchkey/core/jwt';
import type { RequestEvent } from '@sveltejs/kit';
import { describe, expect, it, vi } from 'vitest';
import { SvelteKitAuth } from '../src/sveltekit-auth.ts';
import { config } from './kit/scene.ts';

vi.mock('../src/kit-base.ts', () => ({ kitBase: () => '' }));
vi.mock('../src/environment.ts', () => ({ environment: async () => ({}), isBuilding: async () => false }));

const SESSION = 'authjs.session-token';

/** Answers for Ada a page that asks for her session, as Kit does: the cookies that were set are on the answer. */
async function page(headers: Record<string, string>, asks = true, updateAge = 0): Promise<Response> {
  const { secret = '' } = config();
  const token = await encode({ token: { name: 'Ada' }, secret: String(secret), salt: SESSION });
  const lines = ['theme=dark'];
  const event = {
    request: new Request('http://localhost:3000/', { headers: { cookie: `${SESSION}=${token}` } }),
    cookies: {
      getAll: () => [],
      set: (name: string, value: string, options: object) => lines.push(serializeCookie({ name, value, options })),
    },
    locals: {},
  } as unknown as RequestEvent;
  const { handle } = SvelteKitAuth(config({ session: { updateAge } }));
  return handle({
    event,
    async resolve({ locals }) {
      if (asks) expect(await locals.auth()).toMatchObject({ user: { name: 'Ada' } });
      const response = new Response('page', { headers });
      for (const line of lines) response.headers.append('set-cookie', line);
      return response;
    },
  });
}

const namesOf = (response: Response) => response.headers.getSetCookie().map((line) => line.split('=')[0]);

describe('a page that asks for the session', () => {
  it('is kept by no cache that visitors share', async () => {
    const response = await page({});
    expect(namesOf(response)).toEqual(['theme', SESSION]);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(await response.text()).toBe('page');
  });

  it.each(['private, max-age=60', 'no-store'])('stays as the application has it with %s', async (cacheControl) => {
    const response = await page({ 'cache-control': cacheControl });
    expect(namesOf(response)).toEqual(['theme', SESSION]);
    expect(response.headers.get('cache-control')).toBe(cacheControl);
  });

  it.each([
    { 'cache-control': 'public, max-age=60' },
    { 'cache-control': 'max-age=60' },
    { 'cache-control': 'no-cache' },
    { 'cdn-cache-control': 'max-age=60' },
    { 'surrogate-control': 'max-age=60' },
    { 'vercel-cdn-cache-control': 'max-age=60' },
    { 'cloudflare-cdn-cache-control': 'max-age=60' },
    { 'netlify-cdn-cache-control': 'public, s-maxage=60' },
    { 'edge-control': '!no-store, max-age=60' },
    { 'x-accel-expires': '60' },
    { 'cdn-cache-control': 'no-store', 'cache-control': 'public' },
  ] as Record<string, string>[])('carries no session where such a cache may keep it: %j', async (headers) => {
    const response = await page(headers);
    expect(namesOf(response)).toEqual(['theme']);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  });

  it('is kept by no cache that visitors share either when no cookie is due', async () => {
    const response = await page({}, true, 3600);
    expect([namesOf(response), response.headers.get('cache-control')]).toEqual([['theme'], 'private, no-cache']);
    const shared = await page({ 'cache-control': 'public, max-age=60' }, true, 3600);
    expect([namesOf(shared), shared.headers.get('cache-control')]).toEqual([['theme'], 'public, max-age=60']);
  });

  it('is left alone when it does not ask', async () => {
    const response = await page({}, false);
    expect([namesOf(response), response.headers.get('cache-control')]).toEqual([['theme'], null]);
  });
});
