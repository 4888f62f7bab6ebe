import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oauth, oidc, scene, startsSession } from '../flows/scene.ts';

/** JSON of 800 KB that is nothing but depth: within the limit of an answer, and beyond that of many a recursion. */
const DEPTH = 400_000;
const deepList = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
const deepObject = `${'{"a":'.repeat(130_000)}1${'}'.repeat(130_000)}`;

describe.each(doors)('an answer that is nothing but depth, through $name', (door) => {
  it.each([
    ['lists', deepList],
    ['objects', deepObject],
  ])('as profile (%s) ends safely, and the next sign-in works', async (_, deep) => {
    const fake = fakeProvider({ oidc: false });
    const app = scene(door, { providers: [oauth(fake)], debug: true });
    fake.faults.userinfo = { body: `{"sub":"ada-1815","id":"ada-1815","more":${deep}}`, times: 1 };
    const page = await app.signIn(fake, { id: 'plain' });
    if (!startsSession(page)) expectRefused(app, page, 'OAuthCallbackError');
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });

  it.each([
    ['metadata', 'discovery'],
    ['keys', 'jwks'],
    ['tokens', 'token'],
  ] as const)('as %s ends safely, and the next sign-in works', async (_, endpoint) => {
    for (const deep of [deepList, deepObject]) {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake)], debug: true });
      fake.faults[endpoint] = { body: `{"more":${deep}}`, times: 1 };
      const started = await app.begin();
      const page = started.location?.startsWith(fake.issuer)
        ? await app.finish(await fake.authorize(started.location))
        : started;
      expect(startsSession(page)).toBe(false);
      expect(page.redirect?.pathname).toBe('/auth/signin');
      expect(startsSession(await app.signIn(fake))).toBe(true);
    }
  });

  it('and a set of 20 000 keys is refused, also when another one is known from before', async () => {
    const fake = fakeProvider();
    const keys = Array.from({ length: 5_000 }, (_, n) => ({ kty: 'oct', kid: `k${n}` }));
    const app = scene(door, { providers: [oidc(fake)] });
    fake.faults.jwks = { body: { keys: [...keys, ...keys, ...keys, ...keys] }, times: 1 };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });
});
