import { afterEach, describe, expect, it, vi } from 'vitest';
import Resend from '../../src/providers/resend.ts';
import { mailStore } from '../flows/email-scene.ts';
import { leadsTo, type Scene, scene } from '../flows/scene.ts';
import { door, handTimers, text, until } from './edges.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const REFUSED = '/auth/signin?error=EmailSignin';
const SENT = '/auth/verify-request?provider=resend&type=email';

/** An application that mails through a vendor, who answers so. */
function site(answer: () => Response | Promise<Response>): Scene {
  vi.stubGlobal('fetch', async () => answer());
  const provider = Resend({ from: 'sign-in@acme.example', apiKey: 'key' });
  return scene(door, { adapter: mailStore().adapter, providers: [provider] });
}

const ask = (app: Scene): ReturnType<Scene['post']> => app.post('signin/resend', { email: 'ada@example.com' });

describe("a mail vendor's answer", () => {
  it.each([
    [65_536, SENT],
    [65_537, REFUSED],
  ])('of %i bytes leads to %s', async (bytes, path) => {
    const app = site(() => new Response('{"id":"1"}'.padEnd(bytes)));
    expect(leadsTo(await ask(app))).toBe(path);
  });

  it.each([
    [9999, SENT],
    [10_000, REFUSED],
  ])('after %i ms leads to %s', async (wait, path) => {
    handTimers();
    const asked = { count: 0 };
    const app = site(() => {
      asked.count++;
      return new Promise((resolve) => setTimeout(() => resolve(Response.json({ id: '1' })), wait));
    });
    const page = ask(app);
    await until(() => asked.count === 1);
    await vi.advanceTimersByTimeAsync(wait);
    expect(leadsTo(await page)).toBe(path);
  });

  it('is logged up to 500 characters', async () => {
    const app = site(() => new Response(text(501), { status: 500 }));
    await ask(app);
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(/: 500 x{500}$/);
  });
});
