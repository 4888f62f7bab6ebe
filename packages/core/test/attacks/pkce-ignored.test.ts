import type { FakeProvider } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { customFetch } from '../../src/symbols.ts';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene, startsSession } from '../flows/scene.ts';

/** The way to a server that has never heard of PKCE: no verifier gets there. */
function withoutVerifier(fake: FakeProvider): typeof fetch {
  return (input, init) => {
    if (typeof init?.body !== 'string' && !(init?.body instanceof URLSearchParams)) return fake.fetch(input, init);
    const body = new URLSearchParams(init.body);
    body.delete('code_verifier');
    return fake.fetch(input, { ...init, body });
  };
}

/** The same for the challenge. */
function withoutChallenge(address: string | undefined): string {
  const url = new URL(address ?? '');
  for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
  return url.href;
}

describe.each(doors)('a provider that ignores PKCE, through $name', (door) => {
  it.each([
    ['does not tell', []],
    ['tells `plain` alone', ['plain']],
  ])('and %s: a code of somebody else is of no use, for its ID token has another nonce', async (_, methods) => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, code_challenge_methods_supported: methods });
    const app = scene(door, { providers: [oidc(fake, { [customFetch]: withoutVerifier(fake) })] });
    const mallory = { user: { sub: 'mallory', email: 'mallory@example.com' } };
    const foreign = await fake.authorize(withoutChallenge((await app.begin()).location), mallory);
    const visitor = app.visitor();
    const own = new URL(await fake.authorize(withoutChallenge((await app.begin('fake', {}, visitor)).location)));
    own.searchParams.set('code', new URL(foreign).searchParams.get('code') ?? '');
    expectRefused(app, await app.finish(own.href, visitor), 'OAuthCallbackError', visitor);
    const { location } = await app.begin('fake', {}, visitor);
    expect(startsSession(await app.finish(await fake.authorize(withoutChallenge(location)), visitor))).toBe(true);
  });
});
