import { describe, it } from 'vitest';
import { adapterSuite } from '../src/adapter-suite.ts';
import { memoryAdapter } from '../src/memory-adapter.ts';

describe('memoryAdapter', () => {
  adapterSuite(() => ({ adapter: memoryAdapter() }), { describe, it }, { optional: true, authenticators: true });
});

describe('memoryAdapter with the contract alone', () => {
  adapterSuite(() => ({ adapter: memoryAdapter({ optional: false }) }), { describe, it }, { authenticators: true });
});
