import { limits } from '../config/defaults.ts';
import { providersOf } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { sha256Base64Url } from '../crypto/hash.ts';
import { openIfValid, seal } from '../crypto/seal.ts';
import { readAgent } from '../entry/agent.ts';
import { errorOf, SessionRecordsError } from '../errors.ts';
import type { Authentication } from '../identity/proof.ts';
import { clientNetwork, networkPrefix } from '../rate-limit/network.ts';
import type { JWT } from '../types/session.ts';
import type { SessionFacts, SessionRecord } from '../types/session-records.ts';
import type { SignedIn } from './strategy.ts';

/** The values of a new record beside the facts of its session. */
export interface RecordSource {
  readonly userId: string;
  /** When the record can be deleted. */
  readonly expires: Date;
  /** Token of a database session. Default: it is a session in a cookie. */
  readonly sessionToken?: string | undefined;
  /** Default: the session began before records were kept. */
  readonly signedIn?: SignedIn | undefined;
}

/** Returns the record of a session that the request's browser has. */
export async function newRecord(context: Context, facts: SessionFacts, source: RecordSource): Promise<SessionRecord> {
  const { settings, now } = context;
  const { userId, expires, sessionToken, signedIn } = source;
  return {
    ...facts,
    userId,
    seenAt: now,
    expires,
    label: readLabel(context),
    network: readNetwork(context),
    ...(await providerKeys(signedIn?.authentication)),
    handle: sessionToken === undefined ? undefined : await sealHandle(settings, now, facts.id, sessionToken),
    idToken: await sealIdToken(context, facts.id, signedIn?.authentication?.idToken),
  };
}

/**
 * Returns the owner of a new session: the user in the store. Without a store, the user of an OAuth account has another
 * id at each sign-in, so the account is the owner.
 */
export function ownerOf(context: Context, { user, account }: SignedIn): string {
  const { hasAdapter } = context.settings;
  const isOAuth = account.type === 'oauth' || account.type === 'oidc';
  const id = user.id === undefined ? undefined : String(user.id);
  if (id !== undefined && (hasAdapter || !(isOAuth || namesAccount(context, id)))) return id;
  return `${account.provider}:${account.providerAccountId}`;
}

/**
 * Returns the owner of a session that began before records were kept, or in other software. Without a store, a subject
 * that has the form of an account is not that account: only `authorize()` returns such ids. Such a session, and one
 * without a subject, shares its owner with no other.
 */
export function ownerOfToken(context: Context, { sub }: JWT, sessionId: string): string {
  const isOwner = typeof sub === 'string' && sub !== '' && (context.settings.hasAdapter || !namesAccount(context, sub));
  return isOwner ? sub : `session:${sessionId}`;
}

/** Tests whether an id has the form of an account. An `authorize()` may let visitors choose their ids. */
function namesAccount({ settings, origin, basePath }: Context, id: string): boolean {
  return providersOf(settings, origin + basePath).some((provider) => id.startsWith(`${provider.id}:`));
}

/** Returns the key of a provider's session or user: the SHA-256 of the issuer and its id for it. */
export function providerKey(issuer: string, value: string): Promise<string> {
  return sha256Base64Url(JSON.stringify([issuer, value]));
}

async function providerKeys(
  authentication: Authentication | undefined,
): Promise<Pick<SessionRecord, 'providerSession' | 'providerUser'>> {
  const { issuer, subject, sessionId } = authentication ?? {};
  if (issuer === undefined) return {};
  return {
    providerSession: sessionId === undefined ? undefined : await providerKey(issuer, sessionId),
    providerUser: subject === undefined ? undefined : await providerKey(issuer, subject),
  };
}

function readLabel({ settings, incoming }: Context): string | undefined {
  const { label } = settings.records ?? {};
  if (label === false) return undefined;
  if (label === undefined) return agentLabel(incoming.header('user-agent'));
  try {
    const text = label(incoming.headers());
    return text ? cleanText(String(text)) : undefined;
  } catch (error) {
    settings.logger.error(new SessionRecordsError('`session.records.label` threw', { err: errorOf(error) }));
    return undefined;
  }
}

function agentLabel(header: string | undefined): string | undefined {
  const { browser, system } = readAgent(header);
  return browser && system ? `${browser} on ${system}` : (browser ?? system);
}

/** Databases refuse zero bytes and halves of surrogate pairs. */
function cleanText(text: string): string {
  return text
    .slice(0, limits.recordLabel)
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim();
}

function readNetwork({ settings, call, incoming }: Context): string | undefined {
  if (!settings.records?.network) return undefined;
  const { trustedProxyHops: hops } = settings.config.rateLimit || {};
  const forwarded = incoming.header('x-forwarded-for');
  const network = clientNetwork({ address: call.clientAddress, forwarded, hops });
  return network === undefined ? undefined : networkPrefix(network);
}

/** Salts of the sealed members of a record, so that a value cannot be used in the place of another. */
const HANDLE = 'latchkey.session-handle';
const ID_TOKEN = 'latchkey.session-id-token';

/** Seconds that a sealed member can be opened. Its record expires earlier. */
const SEALED_FOR = 3650 * 86_400;

/** Characters of an ID token that is kept for the sign-out at the provider. */
const LONGEST_ID_TOKEN = 4096;

/** Seals the token of a database session for its record. */
export function sealHandle(settings: Settings, now: Date, id: string, token: string): Promise<string> {
  return sealMember(settings, now, HANDLE, { id, value: token });
}

/**
 * Returns the token of a database session; `undefined` for a session in a cookie.
 *
 * @throws {SessionRecordsError} if no secret opens it: the session could not be ended.
 */
export async function openHandle(settings: Settings, record: SessionRecord): Promise<string | undefined> {
  if (!record.handle) return undefined;
  const token = await openMember(settings, record, HANDLE, record.handle);
  if (token !== undefined) return token;
  throw new SessionRecordsError(
    'the session token in a record cannot be opened. Keep an old secret in `secret` until the sessions from its time have expired',
    { id: record.id },
  );
}

async function sealIdToken(
  { settings, now }: Context,
  id: string,
  value: string | undefined,
): Promise<string | undefined> {
  if (!settings.logout.provider || value === undefined || value.length > LONGEST_ID_TOKEN) return undefined;
  return sealMember(settings, now, ID_TOKEN, { id, value });
}

/** Returns the ID token of the sign-in; `undefined` if it was not kept, or if no secret opens it. */
export async function idTokenOf(settings: Settings, record: SessionRecord): Promise<string | undefined> {
  return record.idToken ? openMember(settings, record, ID_TOKEN, record.idToken) : undefined;
}

function sealMember(
  { sealingSecrets: secrets }: Settings,
  now: Date,
  salt: string,
  content: { readonly id: string; readonly value: string },
): Promise<string> {
  return seal(content, { secrets, salt, maxAge: SEALED_FOR, now });
}

/** A value that was moved from another record does not open. */
async function openMember(
  { sealingSecrets: secrets }: Settings,
  { id, seenAt: now }: SessionRecord,
  salt: string,
  text: string,
): Promise<string | undefined> {
  const content = await openIfValid(text, { secrets, salt, now });
  return content?.['id'] === id && typeof content['value'] === 'string' ? content['value'] : undefined;
}
