import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { mailScene } from '../flows/email-scene.ts';
import { asked, fakeProvider, leadsTo, oidc, scene } from '../flows/scene.ts';

const headers: Record<string, string>[] = [
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '8443' },
  { 'x-forwarded-host': 'evil.example, localhost:3000' },
  { forwarded: 'host=evil.example;proto=https' },
  { 'x-original-host': 'evil.example', 'x-host': 'evil.example', 'x-original-url': 'https://evil.example/' },
  { 'x-forwarded-server': 'evil.example', 'x-http-host-override': 'evil.example' },
  { origin: 'http://localhost:3000', referer: 'https://evil.example/' },
];

describe.each(doors)('a request that names another host in its headers, through $name', (door) => {
  it.each(headers)('%j gets a mailed link to the address that was asked for', async (lies) => {
    const app = mailScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const fields = { csrfToken, email: 'ada@example.com', callbackUrl: '/in' };
    const page = await app.browser.post('/auth/signin/mail', fields, { headers: lies });
    expect(leadsTo(page)).toBe('/auth/verify-request?provider=mail&type=email');
    expect(app.sent.map(({ url }) => new URL(url).origin)).toEqual(['http://localhost:3000']);
    expect(app.sent[0]?.url).not.toContain('evil');
    expect(page.location).not.toContain('evil');
  });

  it.each(headers)(
    '%j gets it to the origin that the environment names, which wins over every header',
    async (lies) => {
      const app = mailScene(door, {}, { call: { origin: 'https://shop.example' }, sendMetadata: false });
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      // Over the wire in plain text, as behind a proxy: the cookies of https are sent by hand.
      const cookie =
        app.browser.history
          .at(-1)
          ?.setCookies.map(({ name, value }) => `${name}=${value}`)
          .join('; ') ?? '';
      const { origin: _, ...others } = lies;
      await app.browser.post(
        '/auth/signin/mail',
        { csrfToken, email: 'ada@example.com', callbackUrl: '/in' },
        { headers: { ...others, cookie } },
      );
      expect(app.sent.map(({ url }) => new URL(url).origin)).toEqual(['https://shop.example']);
      expect(new URL(app.sent[0]?.url ?? '').searchParams.get('callbackUrl')).toBe('https://shop.example/in');
    },
  );

  it.each(headers)('%j gets its answer from the provider at the address that was asked for', async (lies) => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const page = await app.browser.post('/auth/signin/fake', { csrfToken }, { headers: lies });
    expect(asked(page).redirect_uri).toBe('http://localhost:3000/auth/callback/fake');
  });
});
