import { describe, expect, it } from 'vitest';
import {
  decideOutcome,
  decideRefresh,
  decideSignIn,
  type RefreshFacts,
  type StoredFacts,
} from '../../src/tokens/decide.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): number => now + seconds * 1000;

const entry: StoredFacts = {
  accessToken: 'token',
  issuedAt: at(-1800),
  expiresAt: at(1800),
  scopes: ['openid', 'calendar'],
  hasRefreshToken: true,
  isRefused: false,
};

function decide(stored: Partial<StoredFacts>, call: Partial<RefreshFacts> = {}) {
  return decideRefresh({
    entry: { ...entry, ...stored },
    now,
    minTtl: 60,
    requiredScopes: [],
    rejected: undefined,
    waiting: undefined,
    ...call,
  });
}

const use = { do: 'use' };
const refresh = { do: 'refresh' };
const fail = (code: string) => ({ do: 'fail', code });
const expired = { expiresAt: at(-1) };
const nearly = { expiresAt: at(59) };
const rejected = { rejected: 'token' };

describe('decideRefresh', () => {
  it.each([
    ['1: a scope that was not granted', decide({}, { requiredScopes: ['openid', 'mail'] }), fail('missing-scopes')],
    ['1: also if expired', decide(expired, { requiredScopes: ['mail'] }), fail('missing-scopes')],
    ['2: granted scopes', decide({}, { requiredScopes: ['openid', 'calendar'] }), use],
    ['2: a token without an expiry', decide({ expiresAt: undefined }), use],
    ['2: further away than the margin', decide({ expiresAt: at(60.001) }), use],
    ['6: at the margin', decide({ expiresAt: at(60) }), refresh],
    ['2: no margin', decide({ expiresAt: at(0.001) }, { minTtl: 0 }), use],
    ['6: no margin, expired', decide({ expiresAt: at(0) }, { minTtl: 0 }), refresh],
    ['2: the margin is at most half of the lifetime', decide({ issuedAt: at(-29), expiresAt: at(31) }), use],
    ['6: half of the lifetime', decide({ issuedAt: at(-30), expiresAt: at(30) }), refresh],
    ['2: another token was rejected', decide({}, { rejected: 'older' }), use],
    ['2: rejected, but younger than 30 s', decide({ issuedAt: at(-29.999) }, rejected), use],
    ['6: rejected, and 30 s old', decide({ issuedAt: at(-30) }, rejected), refresh],
    ['6: rejected without an expiry', decide({ expiresAt: undefined }, rejected), refresh],
    ['3: refused, but still fresh', decide({ isRefused: true }), use],
    ['3: refused, within the margin', decide({ isRefused: true, ...nearly }), use],
    ['3: refused and expired', decide({ isRefused: true, expiresAt: at(0) }), fail('revoked')],
    ['3: refused and rejected', decide({ isRefused: true }, rejected), fail('revoked')],
    [
      '3: refused and rejected without an expiry',
      decide({ isRefused: true, expiresAt: undefined }, rejected),
      fail('revoked'),
    ],
    ['3 before 4', decide({ isRefused: true, hasRefreshToken: false, ...expired }), fail('revoked')],
    ['4: no refresh token, within the margin', decide({ hasRefreshToken: false, ...nearly }), use],
    ['4: no refresh token, expired', decide({ hasRefreshToken: false, ...expired }), fail('no-refresh-token')],
    ['4: no refresh token, rejected', decide({ hasRefreshToken: false }, rejected), fail('no-refresh-token')],
    [
      '4 before 5',
      decide({ hasRefreshToken: false, ...expired }, { waiting: 'provider-unavailable' }),
      fail('no-refresh-token'),
    ],
    ['5: back-off, within the margin', decide(nearly, { waiting: 'provider-unavailable' }), use],
    ['5: back-off, expired', decide(expired, { waiting: 'provider-unavailable' }), fail('provider-unavailable')],
    ['5: back-off, rejected', decide({}, { ...rejected, waiting: 'provider-refused' }), fail('provider-refused')],
    ['6: otherwise', decide(expired), refresh],
  ])('%s', (_, decision, expected) => expect(decision).toEqual(expected));
});

describe('decideOutcome', () => {
  it.each([
    ['tokens', 'same', 'write'],
    ['tokens', 'newer-refused', 'write'],
    ['tokens', 'newer', 'decide-again'],
    ['tokens', 'removed', 'revoke-new'],
    ['refused', 'same', 'mark-refused'],
    ['refused', 'newer', 'decide-again'],
    ['refused', 'newer-refused', 'decide-again'],
    ['refused', 'removed', 'decide-again'],
  ] as const)('%s, entry %s: %s', (answer, now, expected) => expect(decideOutcome(answer, now)).toBe(expected));
});

describe('decideSignIn', () => {
  const facts = { userId: 'ada', clientId: 'client', scopes: ['openid', 'calendar'], hasRefreshToken: true };
  const stored = { ...facts, isActive: true };
  const incoming = { ...facts, asksForScopes: false };
  const fewer = { ...incoming, scopes: ['openid'] };
  it.each([
    ['the same scopes', stored, incoming, 'replace'],
    ['more scopes', stored, { ...incoming, scopes: ['openid', 'calendar', 'mail'] }, 'replace'],
    ['fewer scopes', stored, fewer, 'keep'],
    ['fewer scopes, with the option `scopes`', stored, { ...fewer, asksForScopes: true }, 'replace'],
    ['fewer scopes, entry not active', { ...stored, isActive: false }, fewer, 'replace'],
    ['fewer scopes, another user', stored, { ...fewer, userId: 'eve' }, 'replace'],
    ['fewer scopes, another client', stored, { ...fewer, clientId: 'other' }, 'replace'],
    ['no refresh token', stored, { ...incoming, hasRefreshToken: false }, 'replace-keeping-refresh-token'],
    [
      'neither has a refresh token',
      { ...stored, hasRefreshToken: false },
      { ...incoming, hasRefreshToken: false },
      'replace',
    ],
    ['no refresh token, another user', stored, { ...incoming, userId: 'eve', hasRefreshToken: false }, 'replace'],
    [
      'no refresh token, entry not active',
      { ...stored, isActive: false },
      { ...incoming, hasRefreshToken: false },
      'replace',
    ],
  ] as const)('%s', (_, before, now, expected) => expect(decideSignIn(before, now)).toBe(expected));
});
