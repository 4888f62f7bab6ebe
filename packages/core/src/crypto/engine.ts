import { lazily } from '../lazy.ts';
import type { Awaitable } from '../types/user.ts';
import { nodeEngine } from './engine-node.ts';
import type { Engine, EngineKind } from './engine-web.ts';

/** Runtimes with node:crypto never load the portable engine. */
const loadWebEngine = lazily(async () => (await import('./engine-web.ts')).webEngine);

const chosen: { node?: Engine | undefined; kind?: EngineKind | undefined } = {};

/**
 * Returns which engine this runtime uses: node:crypto where the runtime has it, except on Cloudflare Workers, whose
 * WebCrypto is faster.
 *
 * The engine is chosen at the first call and never at import, because some runtimes refuse such calls outside a
 * request.
 */
export function engineKind(): EngineKind {
  chosen.kind ??= !isCloudflare() && hasNodeEngine() ? 'node' : 'web';
  return chosen.kind;
}

/** Returns the engine of this runtime. */
export function engine(): Awaitable<Engine> {
  return (engineKind() === 'node' && chosen.node) || loadWebEngine();
}

/**
 * Selects the engine. For tests, which run with both.
 *
 * @param kind `undefined` chooses again at the next use.
 * @throws {TypeError} if this runtime has no synchronous node:crypto.
 */
export function switchEngine(kind: EngineKind | undefined): void {
  if (kind === 'node' && !hasNodeEngine()) throw new TypeError('this runtime has no synchronous node:crypto');
  chosen.kind = kind;
}

function hasNodeEngine(): boolean {
  chosen.node ??= nodeEngine();
  return chosen.node !== undefined;
}

/** Tests for a global class of Cloudflare's runtime. Node.js would load a module if `navigator` were read instead. */
function isCloudflare(): boolean {
  return 'WebSocketPair' in globalThis;
}
