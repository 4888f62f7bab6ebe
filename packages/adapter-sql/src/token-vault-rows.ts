import type { TokenVault, VaultEntry, VaultKey } from '@latchkey/core/types';
import { type Codec, codecOf, type Encoded } from './codec.ts';
import type { Engine, Row } from './dialect.ts';
import { UniqueViolation } from './errors.ts';
import { SWEPT, vaultStatements } from './token-vault-statements.ts';

/** Every key is text, and every instant a number of milliseconds. */
const SHAPE = { ids: { type: 'text' }, dates: 'milliseconds', mixedDates: false } as const;

/** The steps of a token vault. Each is one statement. */
export interface VaultSteps extends TokenVault {
  read(key: VaultKey): Promise<VaultEntry | null>;
  find(userId: string, provider?: string): Promise<readonly VaultEntry[]>;
  lease(key: VaultKey, version: number, holder: string, seconds: number): Promise<boolean>;
  write(entry: VaultEntry, expected: number | null): Promise<boolean>;
  remove(key: VaultKey): Promise<void>;
  scan(after: VaultKey | null, limit: number): Promise<readonly VaultEntry[]>;
  /**
   * Deletes expired entries, two hundred in a statement. Returns the number of deleted rows.
   *
   * @param now The current time. Default: the system's clock.
   */
  cleanup(now?: Date): Promise<number>;
}

/** Returns the steps on a table that exists. */
export function vaultRowsOf({ dialect, run }: Engine, table: string): VaultSteps {
  const codec = codecOf(dialect, SHAPE);
  const statements = vaultStatements(dialect, table);

  /** Text that cannot be stored becomes null, which equals nothing. */
  const lookup = ({ provider, providerAccountId }: VaultKey): Encoded => ({
    provider: codec.lookup('key', provider),
    providerAccountId: codec.lookup('key', providerAccountId),
  });

  async function insert(row: Encoded): Promise<boolean> {
    try {
      return (await run(statements.insert(row))).affected > 0;
    } catch (error) {
      if (error instanceof UniqueViolation) return false;
      throw error;
    }
  }

  return {
    read: async (key) => {
      const [row] = (await run(statements.read(lookup(key)))).rows;
      return row ? entryOf(codec, row) : null;
    },
    find: async (userId, provider) => {
      const user = codec.lookup('key', userId);
      const query =
        provider === undefined
          ? statements.find({ userId: user })
          : statements.findOf({ userId: user, provider: codec.lookup('key', provider) });
      return (await run(query)).rows.map((row) => entryOf(codec, row));
    },
    lease: async (key, version, holder, seconds) => {
      const input = {
        ...lookup(key),
        version: codec.required('number', 'version', version),
        holder: codec.required('key', 'holder', holder),
        milliseconds: codec.required('number', 'seconds', wholeNumber('seconds', seconds) * 1000),
      };
      return (await run(statements.lease(input))).affected > 0;
    },
    write: async (entry, expected) => {
      const row = encode(codec, entry);
      if (expected === null) return insert(row);
      const version = codec.required('number', 'expected', expected);
      return (await run(statements.update({ ...row, expected: version }))).affected > 0;
    },
    remove: async (key) => {
      await run(statements.remove(lookup(key)));
    },
    scan: async (after, limit) => {
      const query = statements.scan(wholeNumber('limit', limit), after ? lookup(after) : null);
      return (await run(query)).rows.map((row) => entryOf(codec, row));
    },
    cleanup: async (now = new Date()) => {
      const query = statements.sweep({ now: codec.required('date', 'now', now) });
      let deleted = 0;
      for (let affected = SWEPT; affected === SWEPT; deleted += affected) ({ affected } = await run(query));
      return deleted;
    },
  };
}

/** @throws {TypeError} if the database cannot store a value exactly, or if one is missing. */
function encode(codec: Codec, entry: VaultEntry): Encoded {
  return {
    provider: codec.required('key', 'entry.provider', entry.provider),
    providerAccountId: codec.required('key', 'entry.providerAccountId', entry.providerAccountId),
    userId: codec.required('key', 'entry.userId', entry.userId),
    version: codec.required('number', 'entry.version', entry.version),
    sealed: codec.required('text', 'entry.sealed', entry.sealed),
    expires: codec.encode('date', 'entry.expires', entry.expires),
  };
}

function entryOf(codec: Codec, row: Row): VaultEntry {
  const expires = codec.decode('date', row['expires']);
  return {
    provider: String(row['provider']),
    providerAccountId: String(row['providerAccountId']),
    userId: String(row['userId']),
    version: Number(row['version']),
    sealed: String(row['sealed']),
    expires: expires instanceof Date ? expires : null,
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`${name} must be a whole number, 0 or more`);
}
