import type { Context } from '../../context.ts';
import { randomBytes, toBase64Url } from '../../crypto/bytes.ts';
import { redact } from '../../log/redact.ts';
import { begin } from '../../pending/pending.ts';
import { requireMethod } from '../../store/methods.ts';
import type { Store } from '../../store/store.ts';
import { userByAddress } from '../../store/users.ts';
import type { AdapterUser } from '../../types/adapter.ts';
import type { Cookie } from '../../types/config.ts';
import type { User } from '../../types/user.ts';
import { canonicalAddress } from '../email/address.ts';
import { type Challenge, decoyHash, hashOfUser } from './challenge.ts';
import { descriptorOf } from './credential-id.ts';
import { decoysFor, MOST_DECOYS, secretBytes } from './decoys.ts';
import { algorithmsOf, type CredentialDescriptor, libraryOf } from './library.ts';
import { type Ceremony, hookArguments, passkeyStore, siteOf, type WebAuthnProvider } from './provider.ts';

/** The options that a browser needs for a ceremony, and the cookies that remember the challenge. */
export interface CeremonyOptions {
  readonly action: Ceremony;
  /** `PublicKeyCredentialRequestOptions` or `…CreationOptions`, as JSON (WebAuthn §5.1.9). */
  readonly options: object;
  readonly cookies: readonly Cookie[];
}

const CHALLENGE_BYTES = 32;

/**
 * Starts a ceremony: a sign-in with a passkey, or the registration of one. For a visitor who is signed out, the answer
 * has the same form, size, and cost whether or not the named user exists.
 *
 * @param action The ceremony that the request names.
 * @param user The user who is signed in.
 * @returns `undefined` if the request is not valid.
 */
export async function beginWebAuthn(
  context: Context,
  provider: WebAuthnProvider,
  action: Ceremony | undefined,
  user: AdapterUser | null,
): Promise<CeremonyOptions | undefined> {
  const store = await passkeyStore(context);
  const named = user ? null : await namedUser(context, provider, store);
  const ceremony = decideCeremony({ action, isSignedIn: user !== null, isNamed: named !== null });
  context.settings.logger.debug('webauthn', 'a ceremony begins', () => redact({ provider: provider.id, ceremony }));
  const work: Work = { context, provider, store, challenge: randomBytes(CHALLENGE_BYTES) };
  if (ceremony === 'authenticate') return beginAuthentication(work, user, named);
  if (ceremony === 'register' && user) return beginForUser(work, user);
  return ceremony === 'register' && named ? beginForNewUser(work, named) : undefined;
}

/** Facts that decide which ceremony it is. */
export interface CeremonyFacts {
  /** The ceremony that the request names. */
  readonly action: Ceremony | undefined;
  readonly isSignedIn: boolean;
  /** Whether the request names a user, existing or not. */
  readonly isNamed: boolean;
}

/**
 * Returns the ceremony; `undefined` if the request is not valid. It does not depend on whether the named user exists,
 * because the answer would tell. Without `action`, visitors who are signed out sign in.
 */
export function decideCeremony({ action, isSignedIn, isNamed }: CeremonyFacts): Ceremony | undefined {
  switch (action) {
    case 'authenticate':
      return 'authenticate';
    case 'register':
      return isSignedIn || isNamed ? 'register' : undefined;
    case undefined:
      return isSignedIn ? undefined : 'authenticate';
  }
}

/** The user that a request names. */
interface NamedUser {
  /** The user in the store, or the one to be created. The email address is canonical. */
  readonly user: User;
  readonly exists: boolean;
}

/** Returns the user that a request names, by the provider's `getUserInfo` or by the email address. */
async function namedUser(context: Context, provider: WebAuthnProvider, store: Store): Promise<NamedUser | null> {
  if (!provider.getUserInfo) return userOfAddress(context, store);
  const info = await provider.getUserInfo(...hookArguments(context, provider, store));
  if (!info?.user || info.exists) return info ?? null;
  const { email } = info.user;
  if (typeof email !== 'string' || email === '') return info;
  const canonical = canonicalAddress(email);
  return canonical === undefined ? null : { user: { ...info.user, email: canonical }, exists: false };
}

async function userOfAddress({ incoming, query, body }: Context, store: Store): Promise<NamedUser | null> {
  const typed = (incoming.method === 'POST' ? body.email : undefined) ?? query.email;
  const email = canonicalAddress(typed);
  if (email === undefined) return null;
  const user = await userByAddress(store, email);
  return user ? { user, exists: true } : { user: { email }, exists: false };
}

interface Work {
  readonly context: Context;
  readonly provider: WebAuthnProvider;
  readonly store: Store;
  readonly challenge: Uint8Array<ArrayBuffer>;
}

async function beginAuthentication(
  work: Work,
  user: AdapterUser | null,
  named: NamedUser | null,
): Promise<CeremonyOptions> {
  const { context, provider, store, challenge } = work;
  const library = await libraryOf(provider);
  const isVerified = provider.verifyAuthenticationOptions?.requireUserVerification !== false;
  const options = await library.generateAuthenticationOptions({
    // The answer will be refused without user verification if it is required, so the options ask for it.
    userVerification: isVerified ? 'required' : 'preferred',
    ...provider.authenticationOptions,
    rpID: siteOf(context, provider, store).id,
    allowCredentials: user ? await passkeysOf(work, user) : await allowedFor(work, named),
    challenge,
  });
  const by = user ? String(user.id) : undefined;
  return ceremonyOptions(work, 'authenticate', options, { by, user: await hashFor(named) });
}

async function hashFor(named: NamedUser | null): Promise<string | undefined> {
  if (!named) return undefined;
  return named.exists ? hashOfUser(named.user.id) : decoyHash();
}

/**
 * Returns the passkeys to choose from; `undefined` if the request names no user, so that the browser offers all it has.
 */
async function allowedFor(work: Work, named: NamedUser | null): Promise<CredentialDescriptor[] | undefined> {
  if (!named) return undefined;
  const { context, provider, store } = work;
  const { user, exists } = named;
  const decoys = sortedById(await decoysFor(context.settings.secrets, provider.id, user.email ?? user.name ?? ''));
  if (!exists || user.id === undefined) {
    // As many queries to the store as for a user who exists.
    await requireMethod(store, 'getAuthenticator')(decoys[0]?.id ?? '');
    await Promise.all(decoys.map(({ id }) => hasAccount(work, id)));
    return decoys;
  }
  // As many as an unknown name has at most.
  return (await passkeysOf(work, { id: user.id }, MOST_DECOYS)) ?? decoys;
}

/** A store may change the order. Decoys are sorted, too: otherwise their order would tell them from passkeys. */
function sortedById<P extends { readonly id: string }>(passkeys: readonly P[]): P[] {
  return passkeys.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Returns the passkeys with which a user can sign in; `undefined` instead of an empty list.
 *
 * @param most How many to look at, in the order of their ids. Default: all, in the order of the store.
 */
async function passkeysOf(
  work: Work,
  { id }: { id: string },
  most?: number,
): Promise<CredentialDescriptor[] | undefined> {
  const rows = await requireMethod(work.store, 'listAuthenticatorsByUserId')(id);
  const all = rows.flatMap((row) => descriptorOf(row).map((descriptor) => ({ ...descriptor, row })));
  const some = most === undefined ? all : sortedById(all).slice(0, most);
  const usable = await Promise.all(some.map(({ row }) => hasAccount(work, row.providerAccountId)));
  const list = some.flatMap(({ row: _, ...descriptor }, index) => (usable[index] ? [descriptor] : []));
  return list.length > 0 ? list : undefined;
}

/**
 * Returns whether a passkey has an account. A removed passkey does not, but its row is left if the store lacks
 * `deleteAuthenticator`. With that method there is nothing to look for.
 */
async function hasAccount({ provider, store }: Work, providerAccountId: string): Promise<boolean> {
  if (store.deleteAuthenticator) return true;
  return (await requireMethod(store, 'getAccount')(providerAccountId, provider.id)) !== null;
}

/** A further passkey for a user who is signed in. */
async function beginForUser(work: Work, user: AdapterUser): Promise<CeremonyOptions> {
  const { id, email, name } = user;
  const userName = email || name || 'user';
  const person = { id: String(id), userName, userDisplayName: name || userName };
  const options = await creationOptions(work, person, (await passkeysOf(work, user)) ?? []);
  // Three members only: the row may have more than a cookie can hold.
  return ceremonyOptions(work, 'register', options, { by: String(id), registerData: { id: String(id), email, name } });
}

/**
 * The first passkey of a new user. The displayed name is the one in the request: the store's would tell that the user
 * exists.
 */
async function beginForNewUser(work: Work, { user, exists }: NamedUser): Promise<CeremonyOptions | undefined> {
  const userName = user.email || user.name;
  if (!userName) return undefined;
  const newId = crypto.randomUUID();
  const options = await creationOptions(work, { id: newId, userName, userDisplayName: userName }, []);
  const registerData = exists ? takenName(user) : { ...user };
  return ceremonyOptions(work, 'register', options, { registerData, newId, taken: exists });
}

/** The facts about a user who exists: the typed address or name, and nothing that only the store knows. */
function takenName({ email, name }: User): Partial<User> {
  return email ? { email } : { name };
}

interface Person {
  readonly id: string;
  readonly userName: string;
  readonly userDisplayName: string;
}

async function creationOptions(
  { context, provider, store, challenge }: Work,
  { id, userName, userDisplayName }: Person,
  excludeCredentials: CredentialDescriptor[],
): Promise<object> {
  const library = await libraryOf(provider);
  const site = siteOf(context, provider, store);
  const own = provider.registrationOptions;
  const isVerified = provider.verifyRegistrationOptions?.requireUserVerification !== false;
  return library.generateRegistrationOptions({
    ...own,
    supportedAlgorithmIDs: algorithmsOf(own),
    // A copy, because the library writes to it.
    authenticatorSelection: {
      residentKey: 'preferred',
      userVerification: isVerified ? 'required' : 'preferred',
      ...own?.authenticatorSelection,
    },
    rpID: site.id,
    rpName: site.name,
    // The same handle for all passkeys of a user, so that authenticators show one entry. It does not reveal the user's
    // id.
    userID: await secretBytes(context.settings.secrets, 'user handle', provider.id, id),
    userName,
    userDisplayName,
    excludeCredentials,
    challenge,
  });
}

async function ceremonyOptions(
  { context, provider, challenge }: Work,
  action: Ceremony,
  options: object,
  facts: Omit<Challenge, 'challenge' | 'ceremony'>,
): Promise<CeremonyOptions> {
  const value = { challenge: toBase64Url(challenge), ceremony: action, ...facts };
  return { action, options, cookies: await begin(context, 'passkey', { provider: provider.id, value }) };
}
