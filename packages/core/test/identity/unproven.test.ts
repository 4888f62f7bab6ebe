import { describe, expect, it } from 'vitest';
import { decideUnproven, type UnprovenFacts, type UnprovenResult } from '../../src/linking/unproven.ts';

const both = [true, false];
const anyOption = [undefined, 'verify', 'refuse', 'allow'] as const;
const notProven = ['unverified', 'unknown'] as const;

type Values = { readonly [K in keyof UnprovenFacts]: readonly UnprovenFacts[K][] };

const rows: [row: string, facts: Values, result: UnprovenResult][] = [
  [
    'a verified address, or none',
    { status: ['verified', undefined], unverifiedEmail: anyOption, hasEmailProvider: both, linksByAddress: both },
    'proceed',
  ],
  [
    'an unproven address, with `allow`',
    { status: notProven, unverifiedEmail: ['allow'], hasEmailProvider: both, linksByAddress: both },
    'proceed',
  ],
  [
    'an unproven address, with `refuse`',
    { status: notProven, unverifiedEmail: ['refuse'], hasEmailProvider: both, linksByAddress: both },
    'refuse',
  ],
  [
    'an unproven address, with `verify` or nothing, beside an email provider',
    { status: notProven, unverifiedEmail: ['verify', undefined], hasEmailProvider: [true], linksByAddress: both },
    'verify',
  ],
  [
    'an unproven address, with `verify` but no email provider, which is a configuration problem',
    { status: notProven, unverifiedEmail: ['verify'], hasEmailProvider: [false], linksByAddress: both },
    'refuse',
  ],
  [
    'an unverified address, with nothing and no email provider',
    { status: ['unverified'], unverifiedEmail: [undefined], hasEmailProvider: [false], linksByAddress: both },
    'refuse',
  ],
  [
    'an address of unknown status, with nothing, beside a provider that links by address',
    { status: ['unknown'], unverifiedEmail: [undefined], hasEmailProvider: [false], linksByAddress: [true] },
    'refuse',
  ],
  [
    'an address of unknown status, with nothing, where no provider leads to users by address',
    { status: ['unknown'], unverifiedEmail: [undefined], hasEmailProvider: [false], linksByAddress: [false] },
    'proceed',
  ],
];

describe('the decision about the address of a new account', () => {
  it.each(rows)('%s', (_, { status, unverifiedEmail, hasEmailProvider, linksByAddress }, result) => {
    const all = status.flatMap((one) =>
      unverifiedEmail.flatMap((option) =>
        hasEmailProvider.flatMap((mails) =>
          linksByAddress.map((links): UnprovenFacts => {
            return { status: one, unverifiedEmail: option, hasEmailProvider: mails, linksByAddress: links };
          }),
        ),
      ),
    );
    expect(all.map((facts) => [facts, decideUnproven(facts)])).toEqual(all.map((facts) => [facts, result]));
  });
});
