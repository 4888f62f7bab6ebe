import type { Known } from './suite.ts';

/** Half of a surrogate pair, in the rows that are read back from a store of UTF-8. */
export function knownHalfSurrogates(...rows: readonly ('user' | 'verification token' | 'session token')[]): Known {
  return {
    because: 'UTF-8 has no such thing, and the driver writes U+FFFD in its place',
    cases: rows.map((row) => `keeps or refuses half of a surrogate pair in a ${row}`),
    error: /got .*a\uFFFDb/,
  };
}

/** Of fifty who ask for a token at once several get it. */
export const knownTokensTwice: Known = {
  because: 'the token is read and deleted in two steps',
  cases: ['returns a token to one of fifty simultaneous callers'],
  error: /number of those who got it: expected 1, got \d+/,
};
