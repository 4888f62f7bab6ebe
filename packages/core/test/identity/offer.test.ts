import { describe, expect, it } from 'vitest';
import {
  decideGuided,
  decideOffer,
  type GuidedDecision,
  type GuidedFacts,
  type OfferFacts,
  type OfferState,
} from '../../src/linking/offer.ts';

interface Someone {
  id: string;
}

const ada: Someone = { id: 'ada' };
const bob: Someone = { id: 'bob' };
const noFacts: GuidedFacts<Someone> = {
  owner: null,
  signedIn: null,
  isSessionOfBrowser: true,
  sameEmail: null,
  isExactAddress: false,
  mayLinkByEmail: false,
  emailStatus: 'verified',
  unproven: 'proceed',
  request: 'none',
};
const taken = { sameEmail: ada, isExactAddress: true };
const toAda: GuidedDecision<Someone> = { do: 'offer', user: ada, isSignedIn: false };
const asked: GuidedDecision<Someone> = { do: 'offer', user: ada, isSignedIn: true };
const added: GuidedDecision<Someone> = { do: 'link', user: ada, by: 'session' };
const refused = (reason: 'owned-by-another-user' | 'foreign-session' | 'requester-signed-out' | 'email-taken') =>
  ({ do: 'refuse', reason }) as const;

const rows: [row: string, facts: Partial<GuidedFacts<Someone>>, decision: GuidedDecision<Someone>][] = [
  ['signed out, a free address becomes a user', {}, { do: 'create' }],
  ['signed out, a known account signs in', { owner: ada }, { do: 'use', user: ada }],
  ['signed out, a free address that is not proven waits for a mail', { unproven: 'verify' }, { do: 'verify' }],
  ['signed out, so does a taken one', { ...taken, unproven: 'verify' }, { do: 'verify' }],
  [
    'signed out, a taken address that may not become a user is refused like a free one',
    { ...taken, emailStatus: 'unverified', unproven: 'refuse' },
    { do: 'refuse', reason: 'email-unproven' },
  ],
  ['signed out, a taken address that is verified is offered to its user', taken, toAda],
  ['signed out, so is one without a claim, if no mail can prove it', { ...taken, emailStatus: 'unknown' }, toAda],
  ['a similar address is refused without an offer', { sameEmail: ada }, refused('email-taken')],
  [
    'a provider that may link by address does so',
    { ...taken, mayLinkByEmail: true },
    { do: 'link', user: ada, by: 'address' },
  ],
  ['signed in, a new account is offered to the user who is signed in', { signedIn: ada }, asked],
  ['signed in, the account of the user signs in', { owner: ada, signedIn: ada }, { do: 'use', user: ada }],
  ["signed in, another user's account is refused", { owner: bob, signedIn: ada }, refused('owned-by-another-user')],
  [
    'signed in, there is no offer to a user whose session another site may have set',
    { signedIn: ada, isSessionOfBrowser: false },
    refused('foreign-session'),
  ],
  ['a user who asks adds any account', { signedIn: ada, request: 'free-choice' }, added],
  ['a user who agrees adds the offered account', { signedIn: ada, request: 'offered-account' }, added],
  [
    "a user who asks does not get another user's account",
    { owner: bob, signedIn: ada, request: 'free-choice' },
    refused('owned-by-another-user'),
  ],
  [
    'a request counts only for a session of this browser',
    { signedIn: ada, request: 'free-choice', isSessionOfBrowser: false },
    refused('foreign-session'),
  ],
  [
    'another account than the offered one is refused',
    { signedIn: ada, request: 'other-account' },
    { do: 'choose-again' },
  ],
  [
    'another account than the offered one is refused, also if it has a user',
    { owner: bob, signedIn: ada, request: 'other-account' },
    { do: 'choose-again' },
  ],
  ['a request without its user creates no user', { request: 'free-choice' }, refused('requester-signed-out')],
  [
    'a request without its user signs in no other user',
    { owner: bob, request: 'offered-account' },
    refused('requester-signed-out'),
  ],
  [
    'a request without its user offers nothing',
    { ...taken, request: 'other-account' },
    refused('requester-signed-out'),
  ],
];

describe('decideGuided', () => {
  it.each(rows)('%s', (_, facts, decision) => {
    expect(decideGuided({ ...noFacts, ...facts })).toEqual(decision);
  });
});

const offer = { userId: 'ada', address: 'ada@example.com' };
const held: OfferFacts = {
  offer,
  signedIn: { id: 'ada', email: 'ada@example.com' },
  isOwned: false,
  isProviderKnown: true,
};

const states: [row: string, facts: Partial<OfferFacts>, state: OfferState][] = [
  ['its user is asked', {}, 'show'],
  [
    'a user without an address is asked',
    { offer: { ...offer, address: undefined }, signedIn: { id: 'ada', email: null } },
    'show',
  ],
  ['a visitor who is signed out has to sign in', { signedIn: null }, 'sign-in'],
  ['no offer of this browser', { offer: undefined }, 'remove'],
  ['no offer, and signed out', { offer: undefined, signedIn: null }, 'remove'],
  ['another user is signed in', { signedIn: { id: 'bob', email: 'ada@example.com' } }, 'remove'],
  ['the address of the user has changed', { signedIn: { id: 'ada', email: 'new@example.com' } }, 'remove'],
  ['the address of the user is gone', { signedIn: { id: 'ada' } }, 'remove'],
  ['the account has a user now', { isOwned: true }, 'remove'],
  ['the account has a user now, and the visitor is signed out', { isOwned: true, signedIn: null }, 'remove'],
  ['the provider is not configured any more', { isProviderKnown: false }, 'remove'],
];

describe('decideOffer', () => {
  it.each(states)('%s', (_, facts, state) => {
    expect(decideOffer({ ...held, ...facts })).toBe(state);
  });
});
