import { describe, it } from 'vitest';
import { adapterSuite } from '../src/adapter-suite.ts';
import { memoryAdapter } from '../src/memory-adapter.ts';

const userFields = { role: 'text', age: 'number', isMember: 'boolean', born: { type: 'date' }, tags: 'json' } as const;
const options = { optional: true, authenticators: true };

describe('memoryAdapter', () => {
  adapterSuite(() => ({ adapter: memoryAdapter() }), { describe, it }, options);
});

describe('memoryAdapter with further columns of users', () => {
  adapterSuite(() => ({ adapter: memoryAdapter({ userFields }) }), { describe, it }, { ...options, userFields });
});

describe('memoryAdapter with the methods of Auth.js v5 only', () => {
  adapterSuite(() => ({ adapter: memoryAdapter({ optional: false }) }), { describe, it }, { authenticators: true });
});
