import { afterEach, describe, expect, it, vi } from 'vitest';
import { doors } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, scene, startsSession } from '../../flows/scene.ts';
import { windForward } from '../../wire/wind-forward.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const slow = [
  ['never answers', { delay: 'forever' as const }],
  ['answers byte by byte', { drip: 1000 }],
] as const;
const cases = (['discovery', 'jwks', 'token', 'userinfo'] as const).flatMap((endpoint) =>
  slow.map(([how, fault]) => [endpoint, how, fault] as const),
);

describe.each(doors)('a provider that keeps us waiting, through $name', (door) => {
  it.each(cases)('at %s, which %s, is given up at the deadline, and may be asked again', async (endpoint, _, fault) => {
    const asked = windForward();
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { idToken: endpoint !== 'userinfo' })] });
    fake.misbehave({ [endpoint]: fault });
    const started = await app.begin();
    if (endpoint === 'discovery') expect(leadsTo(started)).toBe('/auth/signin?error=OAuthSignin');
    else expectRefused(app, await app.finish(await fake.authorize(started.location ?? '')), 'OAuthCallbackError');
    expect(new Set(asked)).toEqual(new Set([10_000]));
    vi.restoreAllMocks();
    fake.behave();
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });
});
