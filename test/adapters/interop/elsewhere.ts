import type { World } from './world.ts';
import { drizzle, kysely, pg } from './worlds.ts';

/*
 * A separate program, because a process gets its time zone from its environment. It writes instants by each adapter,
 * reads them by both, and prints those that differ:
 *
 *   TZ=America/New_York node --import sources.mjs elsewhere.ts [prisma]
 */

/** In winter, in summer, and wall clocks of UTC that New York and St John's skip and have twice. */
const instants = ['2027-01-15T12:00:00Z', '2027-07-15T12:00:00Z', '2027-03-14T02:30:00Z', '2027-11-07T01:30:00Z'];

const kinds =
  process.argv[2] === 'prisma'
    ? await (await import('./prisma-worlds.ts')).prismaWorlds()
    : [pg, ...kysely, ...drizzle];

for (const { title, isAvailable, open } of kinds) {
  if (!isAvailable) continue;
  const world = await open();
  const wrong: string[] = [];
  for (const writer of ['theirs', 'ours'] as const)
    for (const reader of ['theirs', 'ours'] as const)
      for (const instant of instants) wrong.push(...(await changed(world, writer, reader, new Date(instant))));
  await world.close();
  console.log(`${title}: ${wrong.length === 0 ? 'exact' : wrong.join(', ')}`);
}
console.log(`offset: ${new Date(instants[0] ?? '').getTimezoneOffset()}`);

type Side = 'theirs' | 'ours';

async function changed(world: World, writer: Side, reader: Side, instant: Date): Promise<string[]> {
  const [from, to] = [world[writer], world[reader]];
  const key = crypto.randomUUID();
  const email = `${key}@example.com`;
  const user = await from.createUser?.({ id: key, email, emailVerified: instant });
  const userId = user?.id ?? '';
  await from.createSession?.({ sessionToken: key, userId, expires: instant });
  await from.createVerificationToken?.({ identifier: email, token: key, expires: instant });
  const read = {
    emailVerified: (await to.getUserByEmail?.(email))?.emailVerified,
    'expires of a session': (await to.getSessionAndUser?.(key))?.session.expires,
    'expires of a token': (await to.useVerificationToken?.({ identifier: email, token: key }))?.expires,
  };
  return Object.entries(read)
    .filter(([, date]) => date?.getTime() !== instant.getTime())
    .map(
      ([what, date]) => `${what} from ${writer} to ${reader}: ${instant.toISOString()} became ${date?.toISOString()}`,
    );
}
