import { describe } from 'vitest';
import { type Known, peerSuite } from '../../../../test/adapters/suite.ts';
import { type Documented, documented } from './documented.ts';
import { engineFor, openDocumented } from './opened.ts';

/**
 * Each preset on two dialects, and each type of ids and dates. All databases run in `unique.test.ts` and
 * `user-fields.test.ts`.
 */
const databases: readonly Documented[] = [
  documented.pg,
  documented.kyselyPostgres,
  documented.kyselyMysql,
  documented.drizzleSqlite,
  documented.drizzleMysql,
  documented.prismaSqlite,
  documented.prismaMysql,
];

/** Cases that fail because of the limits of a database's columns. */
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
  cases: ['allows any number of users without an address', 'gives an address to a user without one'],
  error: /NOT NULL constraint|not-null constraint|cannot be null/,
};

const noSpaces: Known = {
  because: 'the server ignores spaces at the end of a text',
  cases: ['keeps spaces in an account', 'keeps spaces in a verification token'],
  error: /^(accounts\.provider|verificationTokens\.token) must be text that/,
};

const looseCollation: Known = {
  because: 'the unique index refuses similar keys, which are equal to its collation',
  cases: ['addresses', 'accounts', 'verification tokens', 'session tokens'].map(
    (keys) => `distinguishes ${keys} byte by byte`,
  ),
  error: /only \d of 13 similar keys were kept/,
};

const looseKeys: Known = {
  because: 'the unique index refuses a key that is equal to a spent one in its collation',
  cases: ['spends a key for one of fifty simultaneous callers'],
  error: /another key: expected true, got false/,
};

const wholeSeconds: Known = {
  because: 'the column stores whole seconds',
  cases: [
    'returns a token once',
    'identifies a token by both parts of its key, and does not spend it for a wrong key',
    'returns an expired token, which core rejects, or nothing',
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
  because: 'the expiry of the session has lost its milliseconds',
  cases: ['extends a session for one of fifty simultaneous callers'],
  error: /number of extensions: expected 1, got 0/,
};

for (const database of databases) {
  describe.skipIf(!engineFor(database).isAvailable)(`the adapter on ${database.title}`, () => {
    peerSuite(
      async () => {
        const opened = await openDocumented(database);
        const counts = () => ({ users: 0, accounts: 0, sessions: 0, tokens: 0 });
        return { adapter: opened.adapter(), counts, close: opened.close };
      },
      knownOf(database),
      { optional: true, details: false, authenticators: /drizzle|prisma/.test(database.preset) },
    );
  });
}
