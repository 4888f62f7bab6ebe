import type { Kind } from './keys.ts';
import type { Store } from './store.ts';

/** Rows deleted by one script; between two, others get their turn. */
const BATCH = 500;

/**
 * Makes `cleanup`: deletes sessions and verification tokens that have expired. The server forgets them by itself, an hour after;
 * nothing depends on this being called. It reads the sorted sets of what expires, and scans nothing.
 */
export function cleanupOf(store: Store): () => Promise<number> {
  return async () => {
    let deleted = 0;
    for (const key of store.keys.allExpiring()) deleted += await sweepAll(store, key);
    return deleted;
  };
}

async function sweepAll(store: Store, key: string): Promise<number> {
  let deleted = 0;
  for (;;) {
    const names = await store.membersBelow(key, store.now().getTime(), BATCH);
    if (names.length === 0) return deleted;
    deleted += await store.sweep(key, new Map(names.map((name) => [name, keyOf(store, name)])));
    if (names.length < BATCH) return deleted;
  }
}

/** Names are `session:<part>` and `token:<part>`. */
function keyOf(store: Store, name: string): string {
  const colon = name.indexOf(':');
  return store.keys.of(name.slice(0, colon) as Kind, name.slice(colon + 1));
}
