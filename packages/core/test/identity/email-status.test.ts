import { describe, expect, it } from 'vitest';
import { emailStatus } from '../../src/identity/oauth/email-status.ts';
import type { EmailVerification } from '../../src/providers/oauth.ts';

const rows: [verification: EmailVerification | undefined, told: string, denied: string, untold: string][] = [
  [undefined, 'verified', 'unverified', 'unknown'],
  ['always', 'verified', 'unverified', 'verified'],
  ['claim', 'verified', 'unverified', 'unverified'],
  ['never', 'unknown', 'unverified', 'unknown'],
];

describe.each(rows)('the status of an address with `emailVerification` %j', (verification, told, denied, untold) => {
  it.each([true, 'true'])(`is ${told} if the claim is %j`, (claim) => {
    expect(emailStatus(claim, verification)).toBe(told);
  });

  it.each([false, 'false', 'True', 1, '1', null, '', {}])(`is ${denied} if the claim is %j`, (claim) => {
    expect(emailStatus(claim, verification)).toBe(denied);
  });

  it(`is ${untold} without the claim`, () => {
    expect(emailStatus(undefined, verification)).toBe(untold);
  });
});
