import { membersOf } from './failures.ts';

/** Names under which a PostgreSQL server keeps statements. */
export interface PreparedNames {
  /** The name for a statement; `undefined` for one that is not kept. */
  of(sql: string): string | undefined;
  /** Did a statement fail only because of its name? Then nothing of it was done, and from now on the names are others. */
  isOutdated(error: unknown): boolean;
}

/** `invalid_sql_statement_name` and `duplicate_prepared_statement`. */
const ANOTHER_SERVER: ReadonlySet<unknown> = new Set(['26000', '42P05']);

/**
 * Names follow from the statements' text, so that adapters of one pool agree about them, and no name has two meanings.
 *
 * Behind a pooler that hands each transaction to any of its connections, a connection may not know a name, or know it
 * already. From the first such error on, statements are sent without names.
 */
export function preparedNames(prepare: boolean): PreparedNames {
  const names = new Map<string, string>();
  let wanted = prepare;
  let generation = 0;

  return {
    of(sql) {
      if (!wanted) return undefined;
      const known = names.get(sql);
      if (known !== undefined) return known;
      const name = `latchkey_${generation}_${digest(sql)}`;
      names.set(sql, name);
      return name;
    },
    isOutdated(error) {
      // Several statements with names may be under way when the first of them fails.
      if (!prepare) return false;
      const { code, routine } = membersOf(error);
      if (ANOTHER_SERVER.has(code)) {
        wanted = false;
        return true;
      }
      // A column's type was changed. The server does not plan the statement anew, because its rows would look different.
      if (routine !== 'RevalidateCachedQuery') return false;
      generation++;
      names.clear();
      return true;
    },
  };
}

/** 64 bits of FNV-1a, from two starts. */
function digest(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x050c5d1f;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000193) ^ (high >>> 13);
  }
  return [low, high].map((half) => (half >>> 0).toString(36)).join('');
}
