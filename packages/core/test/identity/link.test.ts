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
  emailUnverified: false,
  mayCreateUnverified: false,
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
    { do: 'link', user: bob },
  ],
  ['a new account joins the user who is signed in', { signedIn: bob }, { do: 'link', user: bob }],
  [
    'a new account joins the user who is signed in, not the one of its address',
    { signedIn: bob, sameEmail: ada, mayLinkByEmail: true },
    { do: 'link', user: bob },
  ],
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
  ['a taken address is refused', { sameEmail: ada }, { do: 'refuse', reason: 'email-taken' }],
  [
    'a taken address is linked where that is allowed',
    { sameEmail: ada, mayLinkByEmail: true },
    { do: 'link', user: ada },
  ],
  [
    'a taken address that is unverified is refused even where linking is allowed',
    { sameEmail: ada, mayLinkByEmail: true, emailUnverified: true },
    { do: 'refuse', reason: 'email-unverified' },
  ],
  [
    'a taken address that is unverified is refused even where unverified users may be created',
    { sameEmail: ada, mayLinkByEmail: true, emailUnverified: true, mayCreateUnverified: true },
    { do: 'refuse', reason: 'email-taken' },
  ],
  [
    'an unverified address is refused for the same reason whether or not a user has it',
    { sameEmail: ada, emailUnverified: true },
    { do: 'refuse', reason: 'email-unverified' },
  ],
  [
    'an account whose id belongs to another person now is refused',
    { owner: ada, isReassigned: true },
    { do: 'refuse', reason: 'reassigned' },
  ],
  ['an unverified address creates no user', { emailUnverified: true }, { do: 'refuse', reason: 'email-unverified' }],
  [
    'an unverified address becomes a user where that is allowed',
    { emailUnverified: true, mayCreateUnverified: true },
    { do: 'create' },
  ],
  [
    'a known account is used though its address is unverified',
    { owner: ada, emailUnverified: true },
    { do: 'use', user: ada },
  ],
  [
    'an account with an unverified address joins the user who is signed in: the address plays no part',
    { signedIn: bob, emailUnverified: true },
    { do: 'link', user: bob },
  ],
];

describe('the decision to whom an account belongs', () => {
  it.each(rows)('%s', (_, facts, decision) => {
    expect(decideLink({ ...noFacts, ...facts })).toEqual(decision);
  });

  it('never links an unverified address and never takes an account from its owner, for all 64 combinations of facts', () => {
    const both = [true, false];
    for (const owner of [null, ada])
      for (const signedIn of [null, bob])
        for (const sameEmail of [null, ada])
          for (const mayLinkByEmail of both)
            for (const emailUnverified of both)
              for (const mayCreateUnverified of both) {
                const given = { owner, signedIn, sameEmail, mayLinkByEmail, emailUnverified, mayCreateUnverified };
                const facts = { ...given, isSessionOfBrowser: true };
                const decision = decideLink(facts);
                if (owner) expect(decision.do).toMatch(/use|refuse/);
                if (decision.do === 'link' && emailUnverified) expect(decision.user).toBe(signedIn);
                if (decision.do === 'create') expect(sameEmail).toBeNull();
              }
  });
});
