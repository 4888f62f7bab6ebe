import { SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { oneDoor } from '../flows/doors.ts';
import { leadsTo, startsSession } from '../flows/scene.ts';
import { OWNER, owner, verificationScene, WAITING } from '../flows/verification-scene.ts';

const OVER = '/auth/verify-request?provider=mail&type=email&error=Verification';

/** The attacker's account at a provider that does not verify addresses, with the address of another person. */
const eve = { sub: 'eve', name: 'Eve', email: OWNER, email_verified: false };

describe.each(oneDoor)("an attacker's account with the address of another person, through $name", (door) => {
  it.each(['is free', 'is taken'])(
    'gets no session and is not linked if the owner opens the link: it %s',
    async (which) => {
      const app = verificationScene(door);
      if (which === 'is taken') await app.adapter.createUser({ id: 'owner', email: OWNER, emailVerified: new Date(0) });
      const attacker = app.visitor();
      expect(leadsTo(await app.start(eve, attacker))).toBe(WAITING);
      // The owner does not see the sign-in of the attacker finished, and presses the button nevertheless.
      const victim = app.visitor();
      expect(startsSession(await app.finish(app.link(), victim))).toBe(false);
      const fields = Object.fromEntries(new URL(app.link()).searchParams);
      expect(startsSession(await app.post('callback/mail', fields, victim))).toBe(true);
      expect(await app.session(victim)).toMatchObject({ user: { email: OWNER } });
      expect(app.adapter.dump()).toMatchObject({ users: [{ email: OWNER }], accounts: [] });
      // The proof is spent.
      for (const page of [await app.finish(app.link(), attacker), await app.type(undefined, attacker)])
        expect(startsSession(page)).toBe(false);
      expect(leadsTo(await app.start(eve, attacker))).toBe(WAITING);
    },
  );

  it('does not take the place of the account whose address was confirmed', async () => {
    const app = verificationScene(door);
    await app.start();
    const page = await app.comeBack(await app.type(), eve);
    expect([leadsTo(page), startsSession(page)]).toEqual(['/auth/error?error=AccountChanged', false]);
    expect((await app.browser.get(leadsTo(page) ?? '')).text()).toContain('choose the account with which you started');
    expect(app.log.errors[0]?.message).toContain('returned another account than the one whose address was confirmed');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake' });
    expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [] });
  });

  it('cannot get another address after one was confirmed', async () => {
    const app = verificationScene(door);
    const mine = { ...eve, email: 'eve@example.com' };
    await app.start(mine);
    const page = await app.comeBack(await app.type(), eve);
    expect([leadsTo(page), startsSession(page)]).toEqual(['/auth/error?error=AccountChanged', false]);
    expect(app.log.errors[0]?.message).toContain('the address of the account has changed since it was confirmed');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake' });
    expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [] });
  });

  it('is not confirmed by a callback of an ordinary sign-in, or of another browser', async () => {
    const app = verificationScene(door);
    await app.start();
    const second = await app.type();
    const returned = await app.fake.authorize(second.location ?? '', { user: owner });
    const elsewhere = await app.finish(returned, app.visitor());
    expect(leadsTo(elsewhere)).toBe('/auth/signin?error=InvalidCheck');
    expect(leadsTo(await app.start(eve))).toBe(WAITING);
    expect(app.adapter.dump().users).toEqual([]);
  });

  it('is confirmed once: copies of the cookies are worth nothing afterwards', async () => {
    const app = verificationScene(door);
    await app.start();
    const before = app.browser.clone();
    const second = await app.type();
    const atProvider = app.browser.clone();
    const returned = await app.fake.authorize(second.location ?? '', { user: owner });
    expect(startsSession(await app.finish(returned))).toBe(true);
    expect(leadsTo(await app.type(undefined, before))).toBe(OVER);
    expect(startsSession(await app.finish(app.link(), before))).toBe(false);
    expect(startsSession(await app.finish(returned, atProvider))).toBe(false);
  });
});

describe.each(oneDoor)("an attacker's passkey for the address of another person, through $name", (door) => {
  it.each(['is free', 'is taken'])(
    'is not stored if the owner opens the link in another browser: it %s',
    async (which) => {
      const app = verificationScene(door);
      if (which === 'is taken') await app.adapter.createUser({ id: 'owner', email: OWNER, emailVerified: new Date(0) });
      const attacker = app.visitor();
      expect(leadsTo(await app.register(OWNER, { browser: attacker }))).toBe(WAITING);
      const victim = app.visitor();
      const page = await app.finish(app.link(), victim);
      expect(page.text()).toContain('without <strong>Passkey</strong>');
      const fields = Object.fromEntries(new URL(app.link()).searchParams);
      expect(startsSession(await app.post('callback/mail', fields, victim))).toBe(true);
      expect(app.adapter.dump()).toMatchObject({ users: [{ email: OWNER }], accounts: [], authenticators: [] });
      for (const again of [await app.finish(app.link(), attacker), await app.type(undefined, attacker)])
        expect(startsSession(again)).toBe(false);
      expect(startsSession(await app.enter({ browser: attacker }))).toBe(false);
    },
  );

  it('is not stored if the owner signs in by mail in the browser that the attacker has left', async () => {
    const app = verificationScene(door);
    await app.register(OWNER);
    await app.post('signin/mail', { email: OWNER });
    expect(app.sent[1]).not.toHaveProperty('verifies');
    expect(startsSession(await app.finish(app.link()))).toBe(true);
    expect(app.adapter.dump()).toMatchObject({ users: [{ email: OWNER }], authenticators: [] });
  });

  it('is stored once: a copy of the cookie is worth nothing afterwards', async () => {
    const app = verificationScene(door);
    await app.register(OWNER);
    const before = app.browser.clone();
    expect(startsSession(await app.type())).toBe(true);
    expect(leadsTo(await app.type(undefined, before))).toBe(OVER);
    expect(startsSession(await app.finish(app.link(), before))).toBe(false);
    expect(app.adapter.dump().authenticators).toHaveLength(1);
  });

  it('does not take the id of a passkey that waits, or that was stored while it waited', async () => {
    const app = verificationScene(door);
    await app.register(OWNER);
    const code = app.code();
    const credentialId = app.phone.passkeys[0]?.id ?? '';
    const eve = { browser: app.visitor(), authenticator: new SoftwareAuthenticator(), lies: { credentialId } };
    await app.register('eve@example.com', eve);
    const evesCode = app.code();
    expect(startsSession(await app.type(code))).toBe(true);
    const page = await app.type(evesCode, eve.browser);
    expect(leadsTo(page)).toBe('/auth/signin?error=WebAuthnVerificationError');
    expect(app.adapter.dump()).toMatchObject({ users: [{ email: OWNER }], authenticators: [{}] });
    expect(startsSession(await app.enter({ browser: app.visitor() }))).toBe(true);
  });
});
