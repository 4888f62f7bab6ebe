import { pollution } from '../properties/words.ts';
import { type Answer, whoIsIn, whoIsTold } from './answers.ts';
import { type Application, PARTNER } from './application.ts';
import { headerFaults } from './header-rules.ts';
import { BOB, CAROL } from './marks.ts';
import { methodOf, originOf, providerIn } from './proofs.ts';
import { secretFaults } from './secret-rules.ts';
import type { Sent } from './sent.ts';
import type { Rows } from './shelf.ts';

/** A request, what was there before it, and what came of it. */
export interface Trial {
  readonly app: Application;
  readonly sent: Sent;
  /** Whom its proofs let in. */
  readonly allowed: ReadonlySet<string>;
  /** The request comes from a form of Latchkey. */
  readonly fromForm: boolean;
  readonly before: Rows | undefined;
  readonly answer: Answer;
  /** A provider or a store has answered something else than it should. */
  readonly disturbed?: 'provider' | 'store' | undefined;
}

/** Returns the faults of a trial, in words. */
export async function faultsOf(trial: Trial): Promise<string[]> {
  const found = [
    ...statusFaults(trial),
    ...targetFaults(trial),
    ...(await sessionFaults(trial)),
    ...storeFaults(trial),
    ...forgeryFaults(trial),
    ...headerFaults(trial),
    ...secretFaults(trial),
    pollution().length > 0 && `adds ${pollution().map(String)} to every object`,
    arrayNames.size !== Reflect.ownKeys(Array.prototype).length && 'adds something to every list',
  ];
  return found.filter((fault) => typeof fault === 'string');
}

const arrayNames = new Set<PropertyKey>(Reflect.ownKeys(Array.prototype));

function statusFaults({ app, sent, answer, disturbed }: Trial): (string | false)[] {
  const { pathname, searchParams } = new URL(sent.origin + sent.target);
  // Who opens the page of an error gets it.
  const asksForIt =
    pathname.replace(/\/+$/, '').endsWith('/error') && searchParams.getAll('error').includes('Configuration');
  const mayBlame = asksForIt || app.variant.broken === true;
  const { status, targets } = answer;
  const blames = targets.some((target) => /[?&]error=Configuration/.test(target));
  // Each code has its own sentence. Input of the visitor is not a code.
  const types = app.log
    .types()
    .filter((type) => !KNOWN_TYPES.test(type) && !(type === 'AuthError' && blamesRightly(app)));
  return [
    status >= 500 && !mayBlame && `status ${status}`,
    blames &&
      !mayBlame &&
      disturbed !== 'store' &&
      !(disturbed === 'provider' && blamesRightly(app)) &&
      `blames the owner: ${app.log.types()}`,
    (status < 200 || (status >= 300 && status < 400 && targets.length === 0)) && `status ${status} without a target`,
    disturbed !== 'store' && types.length > 0 && `logs an unexpected error: ${types}: ${app.log.text().slice(0, 500)}`,
  ];
}

/** Names of the library's errors. `CallbackRouteError` stands for unexpected failures, so it is a fault here. */
const KNOWN_TYPES =
  /^(AccessDenied|AccountNotLinked|AccountReassigned|CredentialsSignin|EmailCreateAccountError|EmailSignInError|InvalidCallbackUrl|InvalidCheck|InvalidEndpoints|InvalidProvider|JWTSessionError|MissingCSRF|OAuth\w+|RateLimited|Session\w+|SignOutError|UnknownAction|UntrustedHost|Verification|WebAuthnVerificationError)$/;

/** Where a provider's endpoints are is the owner's to say; and what no cookie can hold. */
function blamesRightly({ log }: Application): boolean {
  const isOwners = log.types().some((type) => type === 'InvalidEndpoints' || type === 'JWTSessionError');
  return isOwners || /has no (token|userinfo) endpoint/.test(log.text());
}

function targetFaults(trial: Trial): (string | false)[] {
  const { app, sent, answer } = trial;
  const remembered = answer.cookies.filter(({ name, value }) => name.endsWith('authjs.callback-url') && value !== '');
  return [
    ...answer.targets.map((target) => !isAllowed(target, trial) && `leads to ${target}`),
    ...remembered.map(({ value }) => !isOurs(value, originOf(sent, app), app) && `remembers ${value}`),
  ];
}

function isOurs(target: string, ours: string, app: Application): boolean {
  if (!/^(https?:\/\/|\/(?![/\\]))/i.test(target) || !URL.canParse(target, ours)) return false;
  const { origin, username, password } = new URL(target, ours);
  const isPartner = app.config.callbacks?.redirect !== undefined && origin === PARTNER;
  // A sign-in goes back to where it was begun, also where it ends at another address of the same site.
  return (origin === ours || origin === app.origin || isPartner) && username + password === '';
}

function isAllowed(target: string, { app, sent, fromForm, disturbed }: Trial): boolean {
  if (isOurs(target, originOf(sent, app), app)) return true;
  const starts = methodOf(sent) === 'POST' && fromForm;
  // Where its visitors go is a provider's own choice, as long as that is https.
  if (disturbed === 'provider' && starts && /^https:\/\/[^?]*\?.*client_id=client/.test(target)) return true;
  const provider = Object.values(app.providers).find(({ issuer }) => target.startsWith(`${issuer}/authorize?`));
  if (provider) return starts && provider.issuer === `https://${providerIn(sent)}.test`;
  return app.config.redirectProxyUrl !== undefined && target.startsWith(`${PARTNER}/auth/callback/fake?`);
}

async function sessionFaults({ app, sent, answer, allowed, disturbed }: Trial): Promise<(string | false)[]> {
  const whose = [await whoIsIn(app, originOf(sent, app), answer), whoIsTold(answer)];
  // The store is trusted. A provider may send any claims, but must not sign in as another user.
  const isWrong = (who: string): boolean => {
    if (disturbed === 'store') return false;
    if (disturbed === 'provider') return app.shelf !== undefined && (who === BOB || who === CAROL);
    return !allowed.has(who);
  };
  return whose.map((who) => who !== undefined && isWrong(who) && `gives the session of ${who}`);
}

const KEPT = ['users', 'accounts', 'sessions', 'authenticators'] as const;

/** Without a proof, the store must not change. Bob must never change. */
function storeFaults({ app, before, disturbed, allowed }: Trial): (string | false)[] {
  const rows = app.shelf?.rows;
  if (!rows || !before || app.shelf?.names().length === 0) return [];
  const isChanged = (name: (typeof KEPT)[number]): boolean =>
    [...rows[name].keys()].join('\n') !== [...before[name].keys()].join('\n');
  const isBob = ({ email }: { email: string }): boolean => email === BOB;
  const bobs = [rows, before].map(({ users }) => JSON.stringify([...users.values()].filter(isBob)));
  const bobsOwn = [...rows.accounts.values(), ...rows.sessions.values(), ...rows.authenticators.values()];
  return [
    ...(allowed.size > 0 ? [] : KEPT.map((name) => isChanged(name) && `changes ${name} without a proof`)),
    disturbed !== 'store' && bobs[0] !== bobs[1] && 'changes Bob',
    bobsOwn.some(({ userId }) => userId === 'bob') && 'gives something to Bob',
  ];
}

/**
 * Checks that a form of another site has no effect. A provider posts from its own site, which only continues the
 * sign-in.
 */
function forgeryFaults({ app, sent, answer, before, fromForm }: Trial): (string | false)[] {
  if (methodOf(sent) !== 'POST' || fromForm) return [];
  const rows = app.shelf?.rows;
  return [
    app.mails.length > 0 && 'mails a link for a foreign form',
    answer.cookies.some(({ name, value }) => name.includes('session-token') && value !== '') &&
      'a foreign form signs in',
    answer.cookies.some(
      ({ name, attributes }) => name.includes('session-token') && attributes.get('max-age') === '0',
    ) && 'a foreign form signs out',
    !!rows && !!before && rows.sessions.size !== before.sessions.size && 'a foreign form ends a session',
    whoIsTold(answer) !== undefined && 'tells a session to a foreign form',
  ];
}
