import { afterAll, beforeEach, describe } from 'vitest';
import { switchEngine } from '../../src/crypto/engine.ts';
import type { EngineKind } from '../../src/crypto/engine-web.ts';

export const kinds: readonly EngineKind[] = ['node', 'web'];

/** Declares the same tests for each engine. */
export function onEachEngine(tests: (kind: EngineKind) => void): void {
  describe.each(kinds)('on the %s engine', (kind) => {
    beforeEach(() => switchEngine(kind));
    afterAll(() => switchEngine(undefined));
    tests(kind);
  });
}
