import { type DiscoveryFault, discoveryFaults } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type Door, doors } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene, startsSession } from '../../flows/scene.ts';
import { site } from '../site.ts';

// Both doors share the code that reads a provider's response, and `flows/` uses both, so one door is enough here.
const [door] = doors as readonly [Door];

const endpoints = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'];
const addresses = [
  'javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'file:///etc/passwd', 'ftp://idp.test/',
  'http://idp.test/plain', 'http://169.254.169.254/latest', '//idp.test/no-scheme', '/only/a/path', '', 7, null,
  ['https://idp.test/list'],
]; // biome-ignore format: a list to be read across

describe('hostile metadata', () => {
  it.each(Object.keys(discoveryFaults) as DiscoveryFault[])('start nothing: %s', async (name) => {
    const { fake, app } = site(door);
    fake.misbehave({ discovery: discoveryFaults[name] });
    const page = await app.begin();
    expect(page.location).toMatch(
      /^http:\/\/localhost:3000\/auth\/(signin\?error=OAuthSignin&provider=\w+|error\?error=Configuration&reference=\w+)$/,
    );
    expect(fake.count()).toBe(1);
    fake.behave();
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each(endpoints)('send neither visitors nor secrets to an address of another site: %s', async (name) => {
    for (const address of addresses) {
      const { fake, app } = site(door, { idToken: name !== 'userinfo_endpoint' });
      fake.misbehave({ discovery: { json: { [name]: address } } });
      const page = await app.begin();
      expect(page.location, String(address)).toMatch(/^http:\/\/localhost:3000\/auth\/(signin|error)\?error=/);
      expect(fake.count(), String(address)).toBe(1);
      expect(app.log.errors[0]?.message, String(address)).toMatch(`the metadata's ${name} must be an https URL`);
      expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake' });
    }
  });

  it.each(['https://idp.test/', 'HTTPS://IDP.TEST'])(
    'may write the same address as %s, and then ID tokens have to name exactly that',
    async (issuer) => {
      const fake = fakeProvider({ issParameter: false });
      const app = scene(door, { providers: [oidc(fake)] });
      fake.misbehave({ discovery: { json: { issuer } } });
      expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
      fake.misbehave({ idToken: { claims: { iss: issuer } } });
      expect(startsSession(await app.signIn(fake))).toBe(true);
    },
  );

  it('and all other responses are read regardless of their content type', async () => {
    const { fake, app } = site(door, { idToken: false });
    const wrong = { headers: { 'content-type': 'text/html' } };
    fake.misbehave({ discovery: wrong, jwks: wrong, token: wrong, userinfo: wrong });
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('that turn hostile between start and callback are not asked for again: what was checked counts', async () => {
    const { fake, app } = site(door);
    const back = await fake.authorize((await app.begin()).location ?? '');
    fake.misbehave({ discovery: { json: { issuer: 'https://impostor.example', jwks_uri: 'https://evil.example/' } } });
    expect(startsSession(await app.finish(back))).toBe(true);
    expect(fake.count('discovery')).toBe(1);
  });

  it('cannot turn verification off by allowing unsigned tokens or secrets as keys', async () => {
    for (const sign of ['none', 'client-secret', 'public-key'] as const) {
      const { fake, app } = site(door);
      const allowed = ['none', 'HS256', 'ES256'];
      fake.misbehave({
        discovery: { json: { id_token_signing_alg_values_supported: allowed } },
        idToken: { sign },
      });
      expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    }
  });
});
