import type { AdapterUser } from '../../adapters.ts';
import { need } from '../../config/need.ts';
import type { Store } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { toBase64Url } from '../../crypto/encoding.ts';
import { randomBytes, randomUUID } from '../../crypto/random.ts';
import type { Cookie } from '../../types.ts';
import { type AskedUser, askedUser } from './asked-user.ts';
import { decideCeremony } from './ceremony.ts';
import { type Challenge, challengeCookie, nobodysTag, tagOf } from './challenge.ts';
import { descriptorOf } from './credential-id.ts';
import { decoysFor } from './decoys.ts';
import { algorithmsOf, type CredentialDescriptor, libraryOf } from './library.ts';
import { type Ceremony, passkeyStore, type WebAuthnProvider } from './provider.ts';
import { siteOf } from './relying-party.ts';
import { secretBytes } from './secret-bytes.ts';

/** What a browser needs for a ceremony, and the cookie that remembers the challenge. */
export interface Begun {
  readonly action: Ceremony;
  /** `PublicKeyCredentialRequestOptions` or `…CreationOptions`, as JSON (WebAuthn §5.1.9). */
  readonly options: object;
  readonly cookie: Cookie;
}

const CHALLENGE_BYTES = 32;

/**
 * Begins a ceremony: signing in, or making a passkey. For somebody who is signed out the answer is of the same kind, size and
 * cost whether or not the store knows the user who is named.
 *
 * @param action What was asked for.
 * @param visitor Who is signed in.
 * @returns `undefined` when the request makes no sense.
 */
export async function beginWebAuthn(
  context: Context,
  provider: WebAuthnProvider,
  action: Ceremony | undefined,
  visitor: AdapterUser | null,
): Promise<Begun | undefined> {
  const store = await passkeyStore(context);
  const asked = visitor ? null : await askedUser(context, provider, store);
  const ceremony = decideCeremony({ action, signedIn: visitor !== null, named: asked !== null });
  const work: Work = { context, provider, store, challenge: randomBytes(CHALLENGE_BYTES) };
  switch (ceremony) {
    case undefined:
      return undefined;
    case 'authenticate':
      return beginAuthentication(work, visitor, asked);
    case 'register':
      return visitor ? beginForUser(work, visitor) : beginForNewUser(work, asked as AskedUser);
  }
}

interface Work {
  readonly context: Context;
  readonly provider: WebAuthnProvider;
  readonly store: Store;
  readonly challenge: Uint8Array<ArrayBuffer>;
}

async function beginAuthentication(work: Work, visitor: AdapterUser | null, asked: AskedUser | null): Promise<Begun> {
  const { context, provider, store, challenge } = work;
  const library = await libraryOf(provider);
  const verified = provider.verifyAuthenticationOptions?.requireUserVerification !== false;
  const options = await library.generateAuthenticationOptions({
    // What will be demanded of the answer is asked for: else people go all the way to be refused.
    userVerification: verified ? 'required' : 'preferred',
    ...provider.authenticationOptions,
    rpID: siteOf(context, provider, store).id,
    allowCredentials: visitor ? await passkeysOf(store, visitor) : await allowedFor(work, asked),
    challenge,
  });
  const by = visitor ? String(visitor.id) : undefined;
  return begun(work, 'authenticate', options, { by, user: await tagFor(asked) });
}

async function tagFor(asked: AskedUser | null): Promise<string | undefined> {
  if (!asked) return undefined;
  return asked.exists ? tagOf(asked.user.id) : nobodysTag();
}

/** `undefined` where nothing was typed: then the browser offers what it has. */
async function allowedFor(
  { context, provider, store }: Work,
  asked: AskedUser | null,
): Promise<CredentialDescriptor[] | undefined> {
  if (!asked) return undefined;
  const { user, exists } = asked;
  const decoys = await decoysFor(context.settings.secrets, provider.id, user.email ?? user.name ?? '');
  if (!exists) {
    // One question to the store, as for a user whom it knows.
    await need(store, 'getAuthenticator')(decoys[0]?.id ?? '');
    return decoys;
  }
  const own = await passkeysOf(store, user as AdapterUser);
  return own ?? decoys;
}

async function passkeysOf(store: Store, { id }: { id: string }): Promise<CredentialDescriptor[] | undefined> {
  const list = (await need(store, 'listAuthenticatorsByUserId')(id)).flatMap(descriptorOf);
  return list.length > 0 ? list : undefined;
}

/** A further passkey for somebody who is signed in. */
async function beginForUser(work: Work, user: AdapterUser): Promise<Begun> {
  const { id, email, name } = user;
  const userName = email || name || 'user';
  const person = { id: String(id), userName, userDisplayName: name || userName };
  const options = await creationOptions(work, person, (await passkeysOf(work.store, user)) ?? []);
  // Only what a cookie can hold of a row that may have any members.
  return begun(work, 'register', options, { by: String(id), registerData: { id: String(id), email, name } });
}

/** A first passkey, and with it a user. The name that is shown is what was typed, and nothing that the store knows. */
async function beginForNewUser(work: Work, { user, exists }: AskedUser): Promise<Begun | undefined> {
  const userName = user.email || user.name;
  if (!userName) return undefined;
  const newId = randomUUID();
  const options = await creationOptions(work, { id: newId, userName, userDisplayName: userName }, []);
  const registerData = exists ? { email: userName } : { ...user };
  return begun(work, 'register', options, { registerData, newId, taken: exists });
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
  const verified = provider.verifyRegistrationOptions?.requireUserVerification !== false;
  return library.generateRegistrationOptions({
    ...own,
    supportedAlgorithmIDs: algorithmsOf(own),
    // A copy: the library writes to it.
    authenticatorSelection: {
      residentKey: 'preferred',
      userVerification: verified ? 'required' : 'preferred',
      ...own?.authenticatorSelection,
    },
    rpID: site.id,
    rpName: site.name,
    // One handle for all passkeys of a user, so that authenticators show one entry; it says nothing to anybody else.
    userID: await secretBytes(context.settings.secrets, 'user handle', provider.id, id),
    userName,
    userDisplayName,
    excludeCredentials,
    challenge,
  });
}

async function begun(
  { context, provider, challenge }: Work,
  action: Ceremony,
  options: object,
  memo: Omit<Challenge, 'challenge' | 'ceremony'>,
): Promise<Begun> {
  const kept: Challenge = { challenge: toBase64Url(challenge), ceremony: action, ...memo };
  return { action, options, cookie: await challengeCookie(context, provider, kept) };
}
