import { describe, expect, it } from 'vitest';
import { decideLink, type LinkDecision, type LinkFacts } from '../../src/linking/link.ts';

interface Someone {
  id: string;
}

const ada: Someone = { id: 'ada' };
const bob: Someone = { id: 'bob' };
const noFacts: LinkFacts<Someone> = {
  owner: null,
  signedIn: null,
  isSessionOfBrowser: true,
  sameEmail: null,
  mayLinkByEmail: false,
  emailStatus: 'verified',
  unproven: 'proceed',
};

const rows: [row: string, facts: Partial<LinkFacts<Someone>>, decision: LinkDecision<Someone>][] = [
  ['a new account of a new address becomes a user', {}, { do: 'create' }],
  ['a known account is used', { owner: ada }, { do: 'use', user: ada }],
  ['a known account is used by its own user', { owner: ada, signedIn: { id: 'ada' } }, { do: 'use', user: ada }],
  [
    "another user's account is refused",
    { owner: ada, signedIn: bob },
    { do: 'refuse', reason: 'owned-by-another-user' },
  ],
  [
    'an account that is being created has no user yet: not for a signed-out visitor',
    { owner: ada, mustBeNew: true },
    { do: 'refuse', reason: 'owned-by-another-user' },
  ],
  [
    'an account that is being created has no user yet: not for its own user',
    { owner: ada, signedIn: { id: 'ada' }, mustBeNew: true },
    { do: 'refuse', reason: 'owned-by-another-user' },
  ],
  ['an account that is being made becomes a user', { mustBeNew: true }, { do: 'create' }],
  [
    'an account that is being made joins the user who is signed in',
    { signedIn: bob, mustBeNew: true },
    { do: 'link', user: bob, by: 'session' },
  ],
  ['a new account joins the user who is signed in', { signedIn: bob }, { do: 'link', user: bob, by: 'session' }],
  [
    'a new account joins the user who is signed in, not the one of its address',
    { signedIn: bob, sameEmail: ada, mayLinkByEmail: true },
    { do: 'link', user: bob, by: 'session' },
  ],
  [
    'a new account does not join a user who is signed in and has too many',
    { signedIn: bob, isFull: true },
    { do: 'refuse', reason: 'too-many-ways' },
  ],
  [
    'a new account does not join the user of its address who has too many',
    { sameEmail: ada, mayLinkByEmail: true, isFull: true },
    { do: 'refuse', reason: 'too-many-ways' },
  ],
  ['a known account is used if its user has too many', { owner: ada, isFull: true }, { do: 'use', user: ada }],
  [
    'a new account does not join a user whose session another site may have set',
    { signedIn: bob, isSessionOfBrowser: false },
    { do: 'refuse', reason: 'foreign-session' },
  ],
  [
    'a known account is used beside a session that another site may have set, if the user is the same',
    { owner: bob, signedIn: bob, isSessionOfBrowser: false },
    { do: 'use', user: bob },
  ],
  [
    'a new account does not join a user who is signed in and must sign in again first',
    { signedIn: bob, mustSignInAgain: true, sameEmail: bob, mayLinkByEmail: true },
    { do: 'refuse', reason: 'sign-in-again' },
  ],
  [
    'an account that is being made does not join that user either',
    { signedIn: bob, mustSignInAgain: true, mustBeNew: true },
    { do: 'refuse', reason: 'sign-in-again' },
  ],
  [
    'a session that another site may have set is refused before the visitor is asked to sign in again',
    { signedIn: bob, isSessionOfBrowser: false, mustSignInAgain: true },
    { do: 'refuse', reason: 'foreign-session' },
  ],
  [
    'a known account is used by its own user, who signs in again with it',
    { owner: bob, signedIn: bob, mustSignInAgain: true },
    { do: 'use', user: bob },
  ],
  ['a taken address is refused', { sameEmail: ada }, { do: 'refuse', reason: 'email-taken' }],
  [
    'a taken address is linked where that is allowed',
    { sameEmail: ada, mayLinkByEmail: true },
    { do: 'link', user: ada, by: 'address' },
  ],
  [
    'a taken address is linked where that is allowed, though its status is unknown',
    { sameEmail: ada, mayLinkByEmail: true, emailStatus: 'unknown', unproven: 'refuse' },
    { do: 'link', user: ada, by: 'address' },
  ],
  [
    'a taken address that is unverified is refused even where linking is allowed',
    { sameEmail: ada, mayLinkByEmail: true, emailStatus: 'unverified', unproven: 'refuse' },
    { do: 'refuse', reason: 'email-unproven' },
  ],
  [
    'a taken address that is unverified is refused even where unverified users may be created',
    { sameEmail: ada, mayLinkByEmail: true, emailStatus: 'unverified' },
    { do: 'refuse', reason: 'email-taken' },
  ],
  [
    'an address that is not proven is refused for the same reason whether or not a user has it',
    { sameEmail: ada, emailStatus: 'unverified', unproven: 'refuse' },
    { do: 'refuse', reason: 'email-unproven' },
  ],
  [
    'an address is to be proven by mail whether or not a user has it',
    { sameEmail: ada, emailStatus: 'unknown', unproven: 'verify' },
    { do: 'verify' },
  ],
  [
    'an account whose id belongs to another person now is refused',
    { owner: ada, isReassigned: true },
    { do: 'refuse', reason: 'reassigned' },
  ],
  [
    'an address that is not proven is refused',
    { emailStatus: 'unverified', unproven: 'refuse' },
    { do: 'refuse', reason: 'email-unproven' },
  ],
  ['an address is to be proven by mail', { emailStatus: 'unknown', unproven: 'verify' }, { do: 'verify' }],
  [
    'an address that is not proven becomes a user where that is allowed',
    { emailStatus: 'unverified' },
    { do: 'create' },
  ],
  [
    'a known account is used though its address is unverified',
    { owner: ada, emailStatus: 'unverified', unproven: 'refuse' },
    { do: 'use', user: ada },
  ],
  [
    'an account with an unverified address is linked to the user who is signed in: the address is not relevant',
    { signedIn: bob, emailStatus: 'unverified', unproven: 'verify' },
    { do: 'link', user: bob, by: 'session' },
  ],
];

describe('the decision to whom an account belongs', () => {
  it.each(rows)('%s', (_, facts, decision) => {
    expect(decideLink({ ...noFacts, ...facts })).toEqual(decision);
  });

  it('never links an unverified address and never takes an account from its owner, for all combinations of facts', () => {
    for (const owner of [null, ada])
      for (const signedIn of [null, bob])
        for (const sameEmail of [null, ada])
          for (const mayLinkByEmail of [true, false])
            for (const emailStatus of ['verified', 'unverified', 'unknown', undefined] as const)
              for (const unproven of ['proceed', 'verify', 'refuse'] as const) {
                const facts = { owner, signedIn, sameEmail, mayLinkByEmail, emailStatus, unproven };
                const decision = decideLink({ ...facts, isSessionOfBrowser: true });
                if (owner) expect(decision.do).toMatch(/use|refuse/);
                if (decision.do === 'link' && emailStatus === 'unverified') expect(decision.user).toBe(signedIn);
                if (decision.do === 'create') expect([sameEmail, unproven]).toEqual([null, 'proceed']);
              }
  });
});
