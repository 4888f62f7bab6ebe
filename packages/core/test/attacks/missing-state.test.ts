import { type FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { customFetch } from '../../src/symbols.ts';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oauth, oidc, scene, startsSession } from '../flows/scene.ts';

const mallory = { user: { sub: 'mallory', email: 'mallory@example.com' } };

/** The provider takes a code with whatever code verifier: it knows no PKCE. */
function withoutPkce(fake: FakeProvider): typeof fetch {
  return (input, init) => {
    const body = init?.body instanceof URLSearchParams ? new URLSearchParams(init.body) : init?.body;
    if (body instanceof URLSearchParams) body.delete('code_verifier');
    return fake.fetch(input, { ...init, body: body ?? null });
  };
}

function stripped(address: string | undefined): string {
  const url = new URL(address ?? '');
  for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
  return url.href;
}

describe.each(doors)('a callback from which the state was cut, through $name', (door) => {
  /** Somebody signed in, who has a sign-in at `second` pending; and Mallory's answer from there, without its state. */
  async function attacked(kind: 'oauth' | 'oidc', checks: ['pkce'] | ['none']) {
    const fake = fakeProvider({ issParameter: false });
    const adapter = memoryAdapter();
    const own = { id: 'second', checks, [customFetch]: withoutPkce(fake) };
    const { authorization } = fake.endpoints;
    const second = kind === 'oauth' ? oauth(fake, own) : oidc(fake, { ...own, authorization });
    const app = scene(door, { adapter, providers: [oauth(fake), second] });
    await app.signIn(fake, { id: 'plain' });
    await app.begin('second');
    const evil = await app.begin('second', {}, app.visitor());
    const back = new URL(await fake.authorize(stripped(evil.location), mallory));
    back.searchParams.delete('state');
    const ownerOf = () => adapter.getUserByAccount({ provider: 'second', providerAccountId: 'mallory' });
    return { app, back: back.href, ownerOf };
  }

  it.each(['oauth', 'oidc'] as const)('is refused where nobody knows whether PKCE is checked (%s)', async (kind) => {
    const { app, back, ownerOf } = await attacked(kind, ['pkce']);
    const page = await app.finish(back);
    expect(page.location).toContain('error=InvalidCheck');
    expect(startsSession(page)).toBe(false);
    expect(await ownerOf()).toBeNull();
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('links to nobody, even where the owner wants no checks', async () => {
    const { app, back, ownerOf } = await attacked('oauth', ['none']);
    await app.finish(back);
    expect(await ownerOf()).toMatchObject({ email: 'mallory@example.com' });
  });

  it('is refused where the provider checks PKCE but the sign-in had no use for it', async () => {
    const fake = fakeProvider({ issParameter: false });
    const app = scene(door, { providers: [oidc(fake, { checks: [] })] });
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    back.searchParams.delete('state');
    expectRefused(app, await app.finish(back.href), 'InvalidCheck');
  });

  it('leaves the pending sign-in alone', async () => {
    const fake = fakeProvider({ issParameter: false });
    const app = scene(door, { providers: [oauth(fake, { checks: ['state', 'pkce'] })] });
    const back = await fake.authorize((await app.begin('plain')).location ?? '');
    expectRefused(app, await app.finish('/auth/callback/plain?code=x'), 'InvalidCheck');
    expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('cannot be answered twice either with copied cookies', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], adapter: memoryAdapter() });
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    const thief = app.browser.clone();
    expect(startsSession(await app.finish(back.href))).toBe(true);
    back.searchParams.delete('state');
    expectRefused(app, await app.finish(back.href, thief), 'InvalidCheck', thief);
    expect(fake.count('token')).toBe(1);
  });
});
