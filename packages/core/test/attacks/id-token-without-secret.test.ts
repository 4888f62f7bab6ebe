import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { fakeProvider, oidc, scene, startsSession } from '../flows/scene.ts';

describe.each(doors)('an ID token signed by HS256 with the empty key, through $name', (door) => {
  it.each([undefined, ''])('counts for nothing where the secret is %j', async (clientSecret) => {
    const fake = fakeProvider();
    const client = { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'HS256' };
    const app = scene(door, { providers: [oidc(fake, { clientSecret, client })] });
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: fake.issuer, aud: 'client', sub: 'victim', iat: now, exp: now + 60 };
    const data = `${encoded({ alg: 'HS256' })}.${encoded(claims)}`;
    const { location = '' } = await app.begin();
    const nonce = new URL(location).searchParams.get('nonce');
    expect(nonce).toBeNull();
    const id_token = `${data}.${createHmac('sha256', '').update(data).digest('base64url')}`;
    fake.faults.token = { body: { access_token: 'x', token_type: 'bearer', id_token } };
    const page = await app.finish(await fake.authorize(location));
    expect(startsSession(page)).toBe(false);
    expect(page.location).toMatch(/\/auth\/signin\?error=OAuthCallbackError$/);
  });
});
