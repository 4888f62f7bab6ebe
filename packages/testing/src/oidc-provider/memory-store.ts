/** One stored record of the provider. */
interface Entry {
  readonly payload: Record<string, unknown>;
  /** Unix time in milliseconds; absent for what does not expire. */
  readonly expires: number | undefined;
}

/** The storage that the npm package asks for, one instance per kind of record. */
export interface MemoryStore {
  upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Record<string, unknown> | undefined>;
  findByUid(uid: string): Promise<Record<string, unknown> | undefined>;
  findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/**
 * Storage in memory, separate for each provider that is started. The package's own one is shared by all providers of a process and
 * prints a warning.
 */
export function memoryStores(): (kind: string) => MemoryStore {
  const everything = new Map<string, Entry>();
  return (kind) => memoryStore(kind, everything);
}

function memoryStore(kind: string, everything: Map<string, Entry>): MemoryStore {
  const alive = (entry: Entry | undefined): entry is Entry =>
    entry !== undefined && (entry.expires ?? Number.POSITIVE_INFINITY) > Date.now();
  const findBy = (member: string, value: string): Record<string, unknown> | undefined =>
    [...everything].find(
      ([key, entry]) => key.startsWith(`${kind}:`) && entry.payload[member] === value && alive(entry),
    )?.[1].payload;
  return {
    async upsert(id, payload, expiresIn) {
      everything.set(`${kind}:${id}`, { payload, expires: expiresIn ? Date.now() + expiresIn * 1000 : undefined });
    },
    async find(id) {
      const entry = everything.get(`${kind}:${id}`);
      return alive(entry) ? entry.payload : undefined;
    },
    async findByUid(uid) {
      return findBy('uid', uid);
    },
    async findByUserCode(userCode) {
      return findBy('userCode', userCode);
    },
    async consume(id) {
      const entry = everything.get(`${kind}:${id}`);
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      everything.delete(`${kind}:${id}`);
    },
    async revokeByGrantId(grantId) {
      // Only of this kind: a sign-in under way names the grant, too, and must outlive it.
      for (const [key, { payload }] of everything) {
        if (key.startsWith(`${kind}:`) && payload.grantId === grantId) everything.delete(key);
      }
    },
  };
}
