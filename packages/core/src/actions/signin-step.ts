import type { Context, Reply } from '../context.ts';
import { canonicalAddress } from '../identity/email/address.ts';
import type { PendingMail } from '../pending/kinds.ts';
import { pendingMail } from '../pending/mail.ts';
import type { Page } from '../views/document.ts';
import type { SignInProblem, SignInSite, SignInVisit } from '../views/sign-in/data.ts';
import { signInPage as signInView } from '../views/sign-in/page.ts';
import { keyStep, nextForm, passkeyStep, passwordStep, registerStep } from '../views/sign-in/steps.ts';
import { signInSite, stepReply } from './sign-in-page.ts';

/** Characters of an address or a name at most (RFC 5321 §4.5.3.1.3: 256 with the angle brackets). */
const IDENTIFIER = 254;

/**
 * `POST signin` with `identifier`: the page for the password or the key of this name. It is the same for known and
 * unknown names, because no user is looked up.
 *
 * @returns `undefined` if the sign-in page has no further step.
 */
export async function signInStep(context: Context): Promise<Reply | undefined> {
  const site = await signInSite(context);
  if (!nextForm(site)) return undefined;
  const identifier = textOf(context.body['identifier']).trim();
  if (identifier === '' || identifier.length > IDENTIFIER) {
    return failedPage({ ...context, page: 'signin' }, { error: 'EmailSignin', reason: 'address' });
  }
  const { csrfToken, callbackUrl } = context;
  return stepReply(stepPage(site, 'password', { csrfToken, callbackUrl, identifier }));
}

/**
 * Returns the page whose form has failed, with the message and the values that were posted. Secrets are not in it.
 *
 * @param context Its member `page` names the page.
 */
export async function failedPage(context: Context, problem: SignInProblem): Promise<Reply> {
  const { csrfToken, body, page } = context;
  const site = await signInSite(context);
  // Other clients keep the fields of their own forms.
  const posted = page === undefined ? [] : Object.entries(body);
  const values = Object.fromEntries(posted.filter((field): field is [string, string] => typeof field[1] === 'string'));
  const mail = page === undefined ? undefined : await mailOfForm(context);
  const identifier = identifierOf(site, values) ?? (mail?.isMasked ? undefined : mail?.identifier);
  const callbackUrl = (body.callbackUrl ? undefined : mail?.returnTo) ?? context.callbackUrl;
  const visit = { csrfToken, callbackUrl, identifier, problem: { ...problem, values } };
  return stepReply(stepPage(site, page, visit), problem.error === 'RateLimited' ? 429 : 422);
}

/** The mail that "Send again" stands for. That form has neither the address nor where the visitor goes. */
async function mailOfForm(context: Context): Promise<PendingMail | undefined> {
  const { action, body, providerId } = context;
  return action === 'signin' && body.email === undefined ? pendingMail(context, providerId) : undefined;
}

/** Returns the address or name that was posted by any form of the page. */
function identifierOf(site: SignInSite, values: Readonly<Record<string, string>>): string | undefined {
  const next = nextForm(site);
  const [keyField = ''] = next?.kind === 'key' ? Object.keys(next.key.fields) : [];
  const name = next?.kind === 'identifier' ? next.fields.name : keyField;
  const typed = values['identifier'] ?? (Object.hasOwn(values, name) ? values[name] : undefined) ?? values['email'];
  return typed?.slice(0, IDENTIFIER);
}

/** Returns a page of the sign-in. A step whose name is missing becomes the sign-in page. */
function stepPage(site: SignInSite, page: string | undefined, visit: SignInVisit): Page {
  const { identifier } = visit;
  const next = nextForm(site);
  if (page === 'register') return registerStep(site, visit);
  if (page === 'passkey') return passkeyStep(site, visit);
  if (page === 'signin' || page === undefined || identifier === undefined || !next) return signInView(site, visit);
  const typed = { ...visit, identifier };
  if (next.kind === 'key') return keyStep(site, next.key, typed);
  return passwordStep(site, next, typed, canonicalAddress(identifier) !== undefined);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
