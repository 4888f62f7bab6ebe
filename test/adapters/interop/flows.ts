import type { AdapterUser } from '@latchkey/core/adapters';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person } from '../flows/shop.ts';
import type { Counts } from '../store.ts';
import { authjs, countsOf, latchkey, type Shown, visitorOf } from './people.ts';
import type { World, WorldKind } from './world.ts';

const HOUR = 60 * 60 * 1000;

/**
 * Registers the tests of a database that both libraries use. A user who is signed in with one is signed in with the
 * other.
 *
 * @param more Registers tests of this kind of database alone.
 */
export function interopFlows(kind: WorldKind, more: (world: () => World) => void = () => undefined): void {
  describe.skipIf(!kind.isAvailable)(`${kind.title}, used by Auth.js and by Latchkey`, () => {
    const held: { world?: World } = {};
    const world = (): World => held.world as World;
    beforeAll(async () => {
      held.world = await kind.open();
    });
    afterAll(() => held.world?.close());

    describe.each(directions)('$title', ({ from, to }) => {
      sessionsCross(world, from, to);
      accountsCross(world, from, to);
      mailedLinksCross(world, from, to);
    });
    recordsStayApart(world);
    furtherColumnsCross(world);
    more(world);
  });
}

type Library = typeof latchkey;

const directions = [
  { from: authjs, to: latchkey, title: 'from Auth.js to Latchkey' },
  { from: latchkey, to: authjs, title: 'from Latchkey to Auth.js' },
];

function sessionsCross(world: () => World, from: Library, to: Library): void {
  it('a session goes on: same cookie, same user, same end; nothing is written', async () => {
    const ada = person();
    const visitor = visitorOf(world()).at(from);
    await visitor.signIn(ada);
    const before = { shown: await visitor.session(), cookie: visitor.cookie(), rows: await sessionRows(world()) };
    expect(visitor.errors).toEqual([]);
    expect(before.shown).toMatchObject({ user: { name: ada.name, email: ada.email } });
    const after = await visitor.at(to).session();
    expect(after).toEqual(before.shown);
    expect(visitor.cookie()?.value).toBe(before.cookie?.value);
    expect(await sessionRows(world())).toEqual(before.rows);
    expect(inAMonth(after)).toBe(true);
    expect(visitor.errors).toEqual([]);
  });

  it('a session is extended by either, and both tell the same end', async () => {
    const visitor = visitorOf(world()).at(from);
    await visitor.signIn(person());
    const sessionToken = visitor.cookie()?.value ?? '';
    const soon = new Date(Date.now() + HOUR);
    soon.setMilliseconds(0);
    // This library must see the value that the other wrote.
    await adapterOf(world(), from).updateSession?.({ sessionToken, expires: soon });
    await visitor.at(to).session();
    // The answer that extends a session shows the old end in Auth.js. The next answer counts.
    const extended = await visitor.session();
    expect(inAMonth(extended)).toBe(true);
    expect(await visitorOf(world(), sessionToken).at(from).session()).toEqual(extended);
    expect(Math.abs(Number(visitor.cookie()?.expires) - Date.parse(extended?.expires ?? ''))).toBeLessThan(2000);
  });

  it('a session that has expired is over at both', async () => {
    const visitor = visitorOf(world()).at(from);
    await visitor.signIn(person());
    const sessionToken = visitor.cookie()?.value ?? '';
    const justNow = new Date(Date.now() - 2000);
    await adapterOf(world(), from).updateSession?.({ sessionToken, expires: justNow });
    expect(await visitorOf(world(), sessionToken).at(to).session()).toBeNull();
    expect(await visitorOf(world(), sessionToken).at(from).session()).toBeNull();
  });

  it('signing out at one ends the session at the other', async () => {
    const visitor = visitorOf(world()).at(from);
    await visitor.signIn(person());
    const sessionToken = visitor.cookie()?.value ?? '';
    expect(await grownBy(world(), () => visitor.at(to).signOut())).toEqual({ ...none, sessions: -1 });
    expect(await visitor.session()).toBeNull();
    expect(await visitorOf(world(), sessionToken).at(from).session()).toBeNull();
  });
}

function accountsCross(world: () => World, from: Library, to: Library): void {
  it('an account leads to its user, from any browser', async () => {
    const ada = person();
    const [phone, desk] = [visitorOf(world()).at(from), visitorOf(world()).at(to)];
    await phone.signIn(ada);
    const grown = await grownBy(world(), () => desk.signIn(ada));
    expect(grown).toMatchObject({ users: 0, accounts: 0, sessions: 1 });
    expect(await desk.session()).toMatchObject({ userId: (await phone.session())?.userId, user: { email: ada.email } });
  });

  it('an account is linked to the signed-in user, and leads to that user at both', async () => {
    const [ada, elsewhere] = [person(), person()];
    const visitor = visitorOf(world()).at(from);
    await visitor.signIn(ada);
    const userId = (await visitor.session())?.userId;
    // Latchkey adds accounts only in the browser that has signed in at Latchkey.
    await visitor.at(to).signIn(ada);
    expect(await grownBy(world(), () => visitor.at(to).signIn(elsewhere, 'other'))).toMatchObject({
      users: 0,
      accounts: 1,
    });
    for (const library of [from, to]) {
      const other = visitorOf(world()).at(library);
      await other.signIn(elsewhere, 'other');
      expect((await other.session())?.userId).toBe(userId);
    }
  });

  it('an address that a user of the other has is not taken over', async () => {
    const ada = person();
    await visitorOf(world()).at(from).signIn(ada);
    const mallory = visitorOf(world()).at(to);
    const grown = await grownBy(world(), () => mallory.signIn(person({ email: ada.email }), 'other'));
    expect(grown).toMatchObject({ users: 0, accounts: 0, sessions: 0 });
    expect(await mallory.session()).toBeNull();
  });

  it('a user is found with all that was stored, columns of the application untouched', async () => {
    const ada = person();
    const visitor = visitorOf(world()).at(from);
    await visitor.signIn(ada);
    await world().rows(`update ${world().tables.users} set role = 'admin' where email = '${ada.email}'`);
    const { userId = '' } = (await visitor.session()) ?? {};
    const verified = new Date(Date.now() - HOUR);
    verified.setMilliseconds(0);
    await adapterOf(world(), from).updateUser?.({ id: userId, emailVerified: verified });
    const [one, other] = [await userOf(world(), from, ada.email), await userOf(world(), to, ada.email)];
    expect(other).toEqual(one);
    const { name, email, picture: image } = ada;
    expect(other).toMatchObject({ name, email, image, emailVerified: verified.toISOString() });
    await visitor.at(to).signIn(ada);
    await adapterOf(world(), to).updateUser?.({ id: userId, name: 'Ada' });
    const [row] = await world().rows(`select name, role from ${world().tables.users} where email = '${ada.email}'`);
    expect(row).toEqual({ name: 'Ada', role: 'admin' });
  });
}

function mailedLinksCross(world: () => World, from: Library, to: Library): void {
  it('a mailed link works at the other, once', async () => {
    const { email } = person();
    const visitor = visitorOf(world()).at(from);
    const link = await visitor.mailedLink(email);
    expect(await grownBy(world(), () => visitor.at(to).open(link))).toEqual({
      users: 1,
      accounts: 0,
      sessions: 1,
      tokens: -1,
    });
    expect((await visitor.session())?.user.email).toBe(email);
    const late = visitorOf(world()).at(from);
    await late.open(link);
    expect(await late.session()).toBeNull();
  });

  it('a mailed link signs in the user of the address', async () => {
    const ada = person();
    const visitor = visitorOf(world()).at(from);
    await visitor.signIn(ada);
    const mailProgram = visitorOf(world()).at(to);
    await mailProgram.open(await mailProgram.mailedLink(ada.email));
    expect((await mailProgram.session())?.userId).toBe((await visitor.session())?.userId);
    const user = await userOf(world(), from, ada.email);
    expect(Math.abs(Date.parse(String(user?.['emailVerified'])) - Date.now())).toBeLessThan(60_000);
  });
}

function recordsStayApart(world: () => World): void {
  it('records of sessions are in tables of their own, and change no rows of the others', async () => {
    const visitor = visitorOf(world(), undefined, true);
    const grown = await grownBy(world(), () => visitor.signIn(person()));
    expect(grown).toMatchObject({ users: 1, accounts: 1, sessions: 1 });
    const { userId = '' } = (await visitor.session()) ?? {};
    const records = () => world().ours.sessionRecords?.find({ userId: String(userId) }, new Date());
    expect(await records()).toMatchObject([{ userId: String(userId), provider: 'idp' }]);
    expect(await visitor.at(authjs).session()).toMatchObject({ userId });
    expect(await grownBy(world(), () => visitor.at(latchkey).signOut())).toEqual({ ...none, sessions: -1 });
    expect(await records()).toEqual([]);
    expect(await visitor.at(authjs).session()).toBeNull();
    expect(visitor.errors).toEqual([]);
  });
}

const none: Counts = { users: 0, accounts: 0, sessions: 0, tokens: 0 };

async function grownBy(world: World, work: () => Promise<unknown>): Promise<Counts> {
  const before = await countsOf(world);
  await work();
  const after = await countsOf(world);
  const members = Object.keys(none) as (keyof Counts)[];
  return Object.fromEntries(members.map((member) => [member, after[member] - before[member]])) as unknown as Counts;
}

function adapterOf(world: World, library: Library): World['ours'] {
  return library === latchkey ? world.ours : world.theirs;
}

async function userOf(world: World, library: Library, email: string): Promise<Record<string, unknown> | undefined> {
  const user = await adapterOf(world, library).getUserByEmail?.(email);
  if (!user) return undefined;
  const { id, name, image, emailVerified } = user;
  return { id: String(id), name, email: user.email, image, emailVerified: emailVerified?.toISOString() };
}

function sessionRows(world: World): Promise<unknown> {
  return world.rows(`select * from ${world.tables.sessions}`);
}

function inAMonth(session: Shown | null): boolean {
  return Math.abs(Date.parse(session?.expires ?? '') - Date.now() - 30 * 24 * HOUR) < 60_000;
}

/** The tables have a column `role`. Drizzle's own description of the tables does not have it. */
function furtherColumnsCross(world: () => World): void {
  it('a column of the application moves, is written, and moves back unchanged', async () => {
    const { theirs, ours, tables, rows } = world();
    const email = `${crypto.randomUUID()}@example.com`;
    const row = async () => withoutStamps((await rows(`select * from ${tables.users} where email = '${email}'`))[0]);
    await theirs.createUser?.({ id: crypto.randomUUID(), name: 'Ada', email, emailVerified: new Date() });
    await rows(`update ${tables.users} set role = 'editor' where email = '${email}'`);
    const before = await row();

    const moved = (await ours.getUserByEmail?.(email)) as AdapterUser;
    expect(moved).toMatchObject({ name: 'Ada', email, role: 'editor' });
    await ours.updateUser?.(moved);
    expect(await row()).toEqual(before);
    await ours.updateUser?.({ id: moved.id, role: 'admin' } as Pick<AdapterUser, 'id'>);
    expect(await row()).toEqual({ ...before, role: 'admin' });

    const back = (await theirs.getUserByEmail?.(email)) as AdapterUser;
    expect({ role: 'admin', ...back }).toMatchObject({ name: 'Ada', email, role: 'admin' });
    await theirs.updateUser?.({ id: back.id, name: 'Countess' });
    expect(await row()).toEqual({ ...before, role: 'admin', name: 'Countess' });
    const again = { ...moved, role: 'admin', name: 'Countess' };
    expect(withoutStamps((await ours.getUserByEmail?.(email)) ?? {})).toEqual(withoutStamps(again));
  });
}

/** Prisma's client changes `updatedAt` at each write. */
function withoutStamps(row: object = {}): object {
  return { ...row, updatedAt: undefined };
}
