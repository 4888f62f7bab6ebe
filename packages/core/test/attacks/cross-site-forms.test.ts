import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene } from '../flows/scene.ts';

describe.each(doors)('a form posted from elsewhere, through $name', (door) => {
  async function posted(headers: Record<string, string>): Promise<{ sent: boolean }> {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] }, { sendMetadata: false, origin: 'https://app.test' });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const page = await app.browser.post('/auth/signin/fake', { csrfToken }, { headers });
    const sent = page.location?.startsWith(fake.issuer) === true;
    if (!sent) expectRefused(app, page, 'MissingCSRF');
    return { sent };
  }

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://app.test' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://app.test.evil.example' }],
    [{ origin: 'https://app.test:8443' }],
    [{ origin: 'http://app.test' }],
    [{ origin: 'garbage' }],
  ])('is refused with %j although the token is right', async (headers) => {
    expect(await posted(headers)).toEqual({ sent: false });
  });

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://sibling.app.test' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://app.test' }],
    [{ origin: 'null' }],
  ])('passes with %j and the right token', async (headers) => {
    expect(await posted(headers as Record<string, string>)).toEqual({ sent: true });
  });

  it('is not helped by CORS: no answer allows another origin', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    for (const path of ['session', 'csrf', 'providers', 'signin']) {
      const page = await app.browser.get(`/auth/${path}`, { headers: { origin: 'https://evil.example' } });
      expect([...page.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});
