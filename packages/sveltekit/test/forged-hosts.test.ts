import type { Env } from '@latchkey/core/binding';
import type { SvelteKitAuthConfig } from '@latchkey/sveltekit';
import type { RequestEvent } from '@sveltejs/kit';
import { describe, expect, it, vi } from 'vitest';
import { forgedInUrls } from '../../core/test/attacks/forged-hosts.ts';
import { config } from './kit/scene.ts';

vi.mock('../src/kit.ts', () => ({
  kitBase: () => '',
  environment: async (given: Env = {}) => given,
  isBuilding: async () => false,
}));
// Another file of this worker may have loaded the modules without the mock, or with its own.
vi.resetModules();
const { AuthError, SvelteKitAuth } = await import('@latchkey/sveltekit');

/** A request as Kit's adapters make it of the `Host` header. */
function eventFor(host: string): RequestEvent {
  const request = new Request(`http://${host}/auth/providers`, { headers: { host } });
  const cookies = { getAll: () => [], set: () => undefined };
  return { request, cookies, locals: {}, getClientAddress: () => '127.0.0.1' } as unknown as RequestEvent;
}

describe('a host that a client has forged', () => {
  it.each<[setting: string, own: Partial<SvelteKitAuthConfig>, env: Env, status: number]>([
    ['the host is trusted', { trustHost: true }, {}, 400],
    ['the host is not trusted', { trustHost: false }, {}, 400],
    ['AUTH_URL names the origin', {}, { AUTH_URL: 'https://shop.example' }, 200],
  ])('is not part of an answer if %s', async (_setting, own, env, status) => {
    const { auth, handle } = SvelteKitAuth(config(own), env);
    for (const host of forgedInUrls) {
      const response = await handle({ event: eventFor(host), resolve: () => expect.unreachable() });
      const text = await response.text();
      expect([host, response.status]).toEqual([host, status]);
      expect(text).not.toContain('evil');
      if (status === 400) await expect(auth(eventFor(host))).rejects.toThrow(AuthError);
      if (status === 200) expect(text).toContain('https://shop.example/auth/signin/credentials');
    }
  });
});
