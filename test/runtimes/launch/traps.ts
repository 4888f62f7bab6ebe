/** Functions that must not be called during import: workerd forbids it, and all visitors would share the results. */
const watched: readonly [string, object, readonly string[]][] = [
  ['crypto', Object.getPrototypeOf(crypto), ['getRandomValues', 'randomUUID']],
  ['crypto.subtle', Object.getPrototypeOf(crypto.subtle), ['digest', 'importKey', 'deriveBits', 'generateKey', 'sign']],
  ['Math', Math, ['random']],
  ['globalThis', globalThis, ['fetch', 'setTimeout', 'setInterval', 'queueMicrotask']],
  ['process', process, ['getBuiltinModule']],
];

/** Runs `work`; resolves with the names of what was called meanwhile. */
export async function callsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  const restore = watched.flatMap(([name, object, methods]) =>
    methods.map((method) => trap(object as Record<string, unknown>, method, () => calls.push(`${name}.${method}`))),
  );
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return calls;
}

function trap(object: Record<string, unknown>, method: string, called: () => void): () => void {
  const own = Object.hasOwn(object, method);
  const run = object[method];
  if (typeof run !== 'function') throw new Error(`there is no ${method} to watch`);
  const watcher = function (this: unknown, ...args: unknown[]): unknown {
    called();
    return Reflect.apply(run, this, args);
  };
  // Not defined anew: some of them may be written, not configured.
  object[method] = watcher;
  return () => {
    if (own) object[method] = run;
    else delete object[method];
  };
}
