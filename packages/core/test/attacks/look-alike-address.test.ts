import { describe, expect, it } from 'vitest';
import type { AdapterUser } from '../../src/adapters.ts';
import { doors } from '../flows/doors.ts';
import { mailScene, mailStore } from '../flows/email-scene.ts';
import { fakeProvider, leadsTo, oidc, startsSession } from '../flows/scene.ts';

/** A store that compares addresses as many collations do: without accents and letter case. */
function forgivingStore(): ReturnType<typeof mailStore> {
  const store = mailStore();
  const alike = new Intl.Collator('en', { sensitivity: 'base' });
  Object.assign(store.adapter, {
    getUserByEmail: async (email: string) =>
      [...store.users.values()].find((user) => alike.compare(user.email, email) === 0) ?? null,
    createUser: async (user: AdapterUser) => {
      if ([...store.users.values()].some(({ email }) => alike.compare(email, user.email) === 0))
        throw new Error('UNIQUE users.email');
      store.users.set(user.id, user);
      return user;
    },
  });
  return store;
}

describe.each(doors)('an address that the store takes for that of another user, through $name', (door) => {
  const ada = 'ada@example.com';
  const lookAlike = 'ada@ex\u00e4mple.com';

  it.each([
    [lookAlike, ada],
    ['stra\u00dfe@example.com', 'strasse@example.com'],
  ])('opens nothing through a mailed link: %s for %s', async (other, own) => {
    const app = mailScene(door, {}, { store: forgivingStore() });
    await app.open(await app.link(own));
    const mallory = app.visitor();
    const page = await app.open(await app.link(other, {}, mallory), mallory);
    expect(leadsTo(page)).toBe('/auth/signin?error=EmailCreateAccount');
    expect(await app.session(mallory)).toBeNull();
    expect(app.store.users.size).toBe(1);
  });

  it('is not linked to them where addresses may be linked', async () => {
    const fake = fakeProvider();
    const providers = [oidc(fake, { allowDangerousEmailAccountLinking: true })];
    const app = mailScene(door, { providers }, { store: forgivingStore() });
    await app.open(await app.link(ada));
    const mallory = app.visitor();
    const user = { sub: 'm', email: lookAlike, email_verified: true };
    const page = await app.signIn(fake, { browser: mallory, consent: { user } });
    expect(leadsTo(page)).toBe('/auth/signin?error=OAuthAccountNotLinked');
    expect(startsSession(page)).toBe(false);
    expect(app.store.accounts.size).toBe(0);
  });

  it('is theirs where it differs in letter case alone', async () => {
    const app = mailScene(door, {}, { store: forgivingStore() });
    app.store.users.set('u1', { id: 'u1', email: 'Ada@Example.com', emailVerified: null });
    await app.open(await app.link(ada));
    expect(await app.session()).toMatchObject({ user: { email: 'Ada@Example.com' } });
    expect(app.store.users.size).toBe(1);
  });
});
