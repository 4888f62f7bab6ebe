import { expect, it } from 'vitest';
import { fresh } from '../store.ts';
import { interopFlows } from './flows.ts';
import { type Client, prismaWorlds } from './prisma-worlds.ts';
import type { World } from './world.ts';
import { instantsAreKept } from './zones.ts';

// Here, where no time limit applies.
const kinds = await prismaWorlds();

for (const kind of kinds) interopFlows(kind, (world) => stampsAreSet(world, kind.client));

instantsAreKept(kinds, 'prisma');

/** Prisma's client sets these columns. The database would set one of them in its own time zone, and not the other. */
function stampsAreSet(world: () => World, client: () => Client): void {
  it('rows that Latchkey writes show Prisma when they were made and when they were changed', async () => {
    const { ours } = world();
    const begun = Date.now();
    const email = `${fresh('ada')}@example.com`;
    const { id } = (await ours.createUser?.({ id: fresh('id'), email, emailVerified: null })) ?? { id: '' };
    const account = { userId: id, provider: 'github', providerAccountId: id, type: 'oauth' } as const;
    await ours.linkAccount?.(account);
    const expires = new Date(begun + 60_000);
    await ours.createSession?.({ sessionToken: id, userId: id, expires });
    const stampsOf = () =>
      Promise.all([
        client().user.findFirstOrThrow({ where: { id } }),
        client().account.findFirstOrThrow({ where: { providerAccountId: id } }),
        client().session.findFirstOrThrow({ where: { sessionToken: id } }),
      ]);
    const made = await stampsOf();
    for (const { createdAt, updatedAt } of made) {
      expect(createdAt).toEqual(updatedAt);
      expect(Number(createdAt)).toBeGreaterThanOrEqual(begun);
      expect(Number(createdAt)).toBeLessThanOrEqual(Date.now());
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    await ours.updateUser?.({ id, name: 'Ada' });
    await ours.updateAccount?.({ ...account, access_token: 'fresh' });
    await ours.extendSession?.({ sessionToken: id, from: expires, to: new Date(begun + 120_000) });
    for (const [index, { createdAt, updatedAt }] of (await stampsOf()).entries()) {
      expect(createdAt).toEqual(made[index]?.createdAt);
      expect(Number(updatedAt)).toBeGreaterThan(Number(createdAt));
      expect(Number(updatedAt)).toBeLessThanOrEqual(Date.now());
    }
  });
}
