import { encode } from '@latchkey/core/jwt';
import type { RequestEvent } from '@sveltejs/kit';
import { expect, it, vi } from 'vitest';
import { SvelteKitAuth } from '../src/sveltekit-auth.ts';
import { config } from './kit/scene.ts';

vi.mock('../src/kit-base.ts', () => ({ kitBase: () => '' }));
vi.mock('../src/environment.ts', () => ({ environment: async () => ({}), isBuilding: async () => false }));

const SESSION = 'authjs.session-token';

function gate(): { open: () => void; opened: Promise<void> } {
  const parts = { open: (): void => undefined };
  const opened = new Promise<void>((resolve) => {
    parts.open = resolve;
  });
  return { open: () => parts.open(), opened };
}

it('a session that was asked for before a sign-out, and is told after it, does not come back', async () => {
  const asked = gate();
  const released = gate();
  const own = config({
    callbacks: {
      async session({ session }) {
        asked.open();
        await released.opened;
        return session;
      },
    },
  });
  const token = await encode({ token: { name: 'Ada' }, secret: String(own.secret), salt: SESSION });
  const jar = new Map([[SESSION, token]]);
  const event = {
    request: new Request('http://localhost:3000/', { method: 'POST', headers: { cookie: `${SESSION}=${token}` } }),
    cookies: {
      getAll: () => [...jar].map(([name, value]) => ({ name, value })),
      set: (name: string, value: string) => void jar.set(name, value),
    },
    locals: {},
    getClientAddress: () => '127.0.0.1',
  } as unknown as RequestEvent;
  const { auth, signOut } = SvelteKitAuth(own);
  const form = new FormData();
  form.set('redirect', 'false');

  const early = auth(event);
  await asked.opened;
  await signOut(event, form);
  expect(jar.get(SESSION)).toBe('');
  released.open();
  expect(await early).toMatchObject({ user: { name: 'Ada' } });
  expect(jar.get(SESSION)).toBe('');
  expect(await auth(event)).toBeNull();
});
