import { describe } from 'vitest';
import { type Known, peerSuite } from '../../../../test/adapters/suite.ts';
import { type Documented, documented } from './documented.ts';
import { engineFor, openDocumented } from './opened.ts';

const { drizzleWithoutKeys: _, prismaPostgres: __, prismaSqliteOlder: ___, ...databases } = documented;

/** What the columns of a database cannot hold; each of these is refused, or kept as the column keeps it. */
function knownOf({ preset, dialect, statements }: Documented): Known[] {
  const script = statements.join(';');
  const isMysql = dialect === 'mysql';
  return [
    ...(/email \S+( unique)? not null/.test(script) ? [needsAddress] : []),
    ...(isMysql ? [noSpaces] : []),
    ...(isMysql && script.includes('unicode_ci') ? [looseCollation, looseKeys] : []),
    ...(isMysql && preset === 'drizzle-adapter' ? [wholeSeconds, atASecond] : []),
  ];
}

const needsAddress: Known = {
  because: 'the column takes no null',
  cases: ['lets any number of users have no address'],
  error: /NOT NULL constraint|not-null constraint|cannot be null/,
};

const noSpaces: Known = {
  because: 'the server takes text for the same without the spaces at its end',
  cases: ['keeps spaces in an account', 'keeps spaces in a verification token'],
  error: /^(accounts\.provider|verificationToken\.token) must be text that/,
};

const looseCollation: Known = {
  because: 'the unique index takes look-alikes for the same and refuses them',
  cases: ['addresses', 'accounts', 'verification tokens', 'session tokens'].map(
    (keys) => `tells ${keys} apart byte by byte`,
  ),
  error: /only \d of 13 look-alikes were kept/,
};

const looseKeys: Known = {
  because: 'the unique index takes a key for spent that only looks like a spent one',
  cases: ['spends a key once, for one of fifty who try at once'],
  error: /another key: expected true, got false/,
};

const wholeSeconds: Known = {
  because: 'the column keeps whole seconds',
  cases: [
    'gives a token out once',
    'tells a token by both parts of its key, and spends none for a wrong one',
    'gives out what has expired, for core to judge, or nothing',
    'creates a session and reads it with its user',
    'keeps the expiry to the millisecond, in the past as in the far future',
    'moves the expiry of one session and leaves the others',
    'deletes one session and leaves the others',
    'replaces a session',
    'keeps the old session when the new one cannot be created',
    'deletes what has expired and leaves the rest',
  ],
  error: /expected .*Date\(\d+[1-9]\d{0,2}\).*got .*Date\(\d+000\)/,
};

const atASecond: Known = {
  because: 'a session is known by the expiry that was read, which has no milliseconds',
  cases: ['extends a session for one of fifty who try at once'],
  error: /number of extensions: expected 1, got 0/,
};

for (const database of Object.values(databases)) {
  describe.skipIf(!engineFor(database).isAvailable)(`the adapter on ${database.title}`, () => {
    peerSuite(
      async () => {
        const opened = await openDocumented(database);
        const counts = () => ({ users: 0, accounts: 0, sessions: 0, tokens: 0 });
        return { adapter: opened.adapter(), counts, close: opened.close };
      },
      knownOf(database),
      { optional: true, authenticators: /drizzle|prisma/.test(database.preset) },
    );
  });
}
