import type { Difference } from './differences.ts';

/** A rule of Latchkey that makes an answer differ, and the differences that it explains. */
export interface Intended {
  /** Number of the page in `decisions/`, and the rule in short. */
  readonly rule: string;
  readonly where: (difference: Difference, scenario: string) => boolean;
}

/** Every difference from Auth.js that is meant. One entry per rule; an entry that nothing needs fails the tests. */
export const intended: readonly Intended[] = [
  {
    rule: 'decision 16: an answer that sets or depends on a cookie is private and stored nowhere',
    where: ({ part, theirs, ours, step }) =>
      (theirs === undefined && part === 'header cache-control' && ours === 'private, no-store') ||
      (step === 'POST /auth/session' && /^header (cache-control|expires|pragma)$/.test(part)),
  },
  {
    rule: 'decision 16: pages have a strict policy, are not sniffed and not framed, and name their charset',
    where: ({ part, theirs, ours }) =>
      (theirs === undefined && PAGE_HEADERS.has(part)) ||
      (part === 'header content-type' && theirs === 'text/html' && ours === 'text/html; charset=utf-8'),
  },
  {
    rule: 'decision 15: a problem of one provider refuses this provider only',
    where: (_, scenario) =>
      scenario === 'a provider without issuer and endpoints' || scenario === 'credentials without authorize',
  },
  {
    rule: 'decision 01: check cookies are taken out by every answer that read them; other pending flows stay',
    where: ({ step, part, theirs }) =>
      theirs === undefined && step.includes('/callback/') && /^cookie .*(state|pkce\.code_verifier|nonce)$/.test(part),
  },
  {
    rule: 'decision 09: a token session has an identity of its own, the claim `sid`',
    where: ({ part, theirs, ours }) => part.startsWith('told to ') && same(theirs, without(ours, 'sid')),
  },
  {
    rule: 'decision 17: the session callback hears of an update with either strategy',
    where: ({ step, part, theirs, ours }) =>
      step === 'POST /auth/session' &&
      part === 'told to callback session' &&
      same(theirs, without(without(without(ours, 'sid'), 'newSession'), 'trigger')),
  },
  {
    rule: 'decision 01: every authorization request carries a state',
    where: ({ step, part, theirs, ours }) =>
      step.startsWith('POST /auth/signin/') &&
      (part === 'location' || part === 'body'
        ? same(theirs, JSON.parse(JSON.stringify(ours ?? null).replace('&state=<random>', '')))
        : theirs === undefined && /^cookie .*\bstate$/.test(part)),
  },
  {
    rule: 'decision 01: a flow knows its return address, judged when it started',
    where: ({ part }, scenario) => part === 'location' && scenario === 'a redirect callback of the application',
  },
  {
    rule: 'decision 24: before an account is added, the application is asked whether the session goes on',
    where: ({ step, part, theirs, ours }, scenario) =>
      scenario.startsWith('a second provider is added while signed in') &&
      step === 'GET /auth/callback/plain' &&
      (part === 'calls'
        ? [theirs, ours].every((calls) => JSON.stringify(calls).includes('linkAccount'))
        : part === 'told to callback jwt'),
  },
  {
    rule: 'decision 08: a flow knows who was signed in when it started',
    where: ({ step, part, theirs, ours }) =>
      step.startsWith('POST /auth/signin/') &&
      (part === 'calls'
        ? same(theirs, []) && /^\["adapter (getSessionAndUser|getUser)"\]$/.test(JSON.stringify(ours))
        : /^told to adapter (getSessionAndUser|getUser)$/.test(part)),
  },
  {
    rule: 'decision 26: a sign-in that began without a token knows its browser, too',
    where: ({ step, part, theirs }) =>
      step === 'POST /auth/signin/idp' && part === 'cookie authjs.csrf-token' && theirs === undefined,
  },
  {
    rule: 'decision 37: a sign-in and a sign-out renew the CSRF token, and name the user of the browser or forget it',
    where: ({ step, part, theirs }) =>
      /^(GET|POST) \/auth\/(callback\/|signout)/.test(step) &&
      theirs === undefined &&
      /^cookie .*(authjs\.browser|csrf-token)$/.test(part),
  },
  {
    rule: 'decision 14: a sign-in always starts a new database session; the row it replaces is deleted',
    where: ({ part, theirs, ours }) =>
      (theirs === undefined && /^told to adapter (createSession|deleteSession)$/.test(part)) ||
      (part === 'calls' && same(theirs, but(ours, 'adapter createSession', 'adapter deleteSession'))),
  },
  {
    rule: "decision 15: what is the owner's to mend carries the reference under which the log tells more",
    where: ({ part, theirs, ours }) =>
      (part === 'body' && typeof ours === 'object' && ours !== null && 'reference' in ours) ||
      (part === 'location' && theirs === String(ours).replace(/&reference=[\da-f]{8}$/, '')),
  },
  {
    rule: 'decision 50: an error redirect names the provider, the reason and the waiting time',
    where: ({ part, theirs, ours }) =>
      (part === 'location' || part === 'body') && ours !== undefined && same(theirs, withoutFacts(ours)),
  },
  {
    rule: 'decision 08: when creating or linking fails midway, the facts are gathered and decided once more',
    where: ({ part, theirs, ours }, scenario) =>
      scenario.startsWith('a store that fails while a user is created') &&
      (part === 'told to adapter getUser' || (part === 'calls' && same(theirs, head(ours, theirs)))),
  },
  {
    rule: 'decision 08: `createUser` is told when a user was created, which is sure once the account is linked',
    where: ({ part, theirs, ours }, scenario) =>
      (part === 'calls' && same(but(theirs, 'event createUser'), but(ours, 'event createUser'))) ||
      (part === 'told to event createUser' && ours === undefined && scenario.includes('is linked')),
  },
  {
    rule: "decision 04: the visitor's and the provider's faults are told on the sign-in page",
    where: ({ part, ours }) => part === 'location' && SIGN_IN_FAULTS.test(String(ours)),
  },
  {
    rule: 'decision 04: what no action answers is a bad request',
    where: ({ part, ours, step }) =>
      /^POST \/auth\/(providers|csrf|error|verify-request)$/.test(step) &&
      ((part === 'status' && ours === 400) ||
        (part === 'location' && ours === undefined) ||
        (part === 'body' && ours === 'Bad request.') ||
        (part === 'header content-type' && ours === 'application/json')),
  },
  {
    rule: 'decision 04: a sign-in is started by POST; a link to one leads to the sign-in page',
    where: ({ part, step, ours }) =>
      step === 'GET /auth/signin/idp' &&
      ((part === 'location' && String(ours).endsWith('/auth/signin')) || part.startsWith('cookie ')),
  },
  {
    rule: 'decision 39: the `signIn` callback gets the status of the address',
    where: ({ part, theirs, ours }) =>
      part === 'told to callback signIn' && same(theirs, without(without(ours, 'emailStatus'), 'sid')),
  },
  {
    rule: 'decision 39: a provider with a verified address that is linked to a user is the first proof of the address',
    where: ({ step, part, theirs, ours }, scenario) =>
      scenario.startsWith('an address that another user has is linked') &&
      step === 'GET /auth/callback/plain' &&
      (part === 'calls'
        ? same(but(theirs, 'event createUser'), but(ours, ...FIRST_PROOF))
        : FIRST_PROOF.some((name) => part === `told to ${name}`) ||
          same(without(theirs, 'emailVerified'), without(without(ours, 'emailVerified'), 'sid'))),
  },
  {
    rule: 'decision 14: answer, cookie and row of an extended session tell the same instant',
    where: ({ part }, scenario) =>
      /^(body|told to (callback|event) session)$/.test(part) &&
      scenario === 'a session row that is due for an extension',
  },
];

const FIRST_PROOF = ['adapter listAuthenticatorsByUserId', 'adapter updateUser', 'event updateUser'];

const PAGE_HEADERS = new Set([
  'header content-security-policy',
  'header referrer-policy',
  'header x-content-type-options',
  'header x-frame-options',
  'header x-robots-tag',
]);

const SIGN_IN_FAULTS =
  /\/auth\/signin\?error=(InvalidProvider|InvalidCheck|OAuthCallbackError|OAuthSignin|OAuthCreateAccount|Callback)(&(provider|reason)=[\w-]+)*$/;

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function but(calls: unknown, ...names: string[]): unknown {
  return Array.isArray(calls) ? calls.filter((name) => !names.includes(name)) : calls;
}

function head(calls: unknown, as: unknown): unknown {
  return Array.isArray(calls) && Array.isArray(as) ? calls.slice(0, as.length) : calls;
}

/** A copy in which no object has this member. */
function without(value: unknown, name: string): unknown {
  return value === undefined
    ? value
    : JSON.parse(JSON.stringify(value), (key, member) => (key === name ? undefined : member));
}

/** The value without the facts that pages learn of an error. */
function withoutFacts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/&(provider|reason|retryAfter)=[\w-]+/g, ''));
}
