import type { CredentialInput } from '../../providers/credentials.ts';
import type { MarkPath } from '../../types/provider.ts';

/** A button that starts a sign-in with a provider. */
export interface OAuthEntry {
  readonly type: 'oauth' | 'oidc';
  readonly id: string;
  /** The name that visitors know. */
  readonly name: string;
  readonly signinUrl: string;
  /** CSS color. */
  readonly brandColor?: string | undefined;
  /** URL of an image, shown on white. */
  readonly logo?: string | undefined;
  /** The mark, see `views/mark.ts`. Used if `logo` is undefined. */
  readonly icon?: string | readonly MarkPath[] | undefined;
}

/** A form that asks for an email address and sends a link to it. */
export interface EmailEntry {
  readonly type: 'email';
  readonly id: string;
  readonly name: string;
  readonly signinUrl: string;
}

/** A form with the configured inputs. */
export interface CredentialsEntry {
  readonly type: 'credentials';
  readonly id: string;
  readonly name: string;
  readonly callbackUrl: string;
  readonly fields: Readonly<Record<string, CredentialInput>>;
}

/** A form whose buttons use or create a passkey. */
export interface PasskeyEntry {
  readonly type: 'webauthn';
  readonly id: string;
  readonly name: string;
  readonly callbackUrl: string;
  /** URL from which the page's script loads the WebAuthn options. */
  readonly optionsUrl: string;
  /** `true`: the browser offers passkeys in the autofill of a field. */
  readonly autofill: boolean;
  /** The device stores the name of the user with the key. `false`: visitors type it before they use a key. */
  readonly isDiscoverable: boolean;
  /** `false`: a visitor who is signed out cannot create a passkey, and a user with it. Default: `true`. */
  readonly createsUsers?: boolean | undefined;
  readonly fields: Readonly<Record<string, CredentialInput>>;
}

/** A way to sign in. */
export type SignInEntry = OAuthEntry | EmailEntry | CredentialsEntry | PasskeyEntry;

/** The fields of credentials that consist of a name and a password. */
export interface PasswordFields {
  /** The key of the field with the name. */
  readonly name: string;
  /** The key of the field with the password. */
  readonly password: string;
}

/** The form at the top of the page, with the primary button. */
export type FirstForm =
  /** Asks for an address, and mails a link. */
  | { readonly kind: 'mail'; readonly mail: EmailEntry }
  /** Asks for a name and a password. */
  | { readonly kind: 'password'; readonly credentials: CredentialsEntry; readonly fields: PasswordFields }
  /** Asks for an address or a name. The next page asks for the password, or mails a link. */
  | {
      readonly kind: 'identifier';
      readonly mail: EmailEntry;
      readonly credentials: CredentialsEntry;
      readonly fields: PasswordFields;
    }
  /** Asks for a name. The next page uses a security key. */
  | { readonly kind: 'key'; readonly key: PasskeyEntry }
  /** Has the fields of the owner, in the owner's order. */
  | { readonly kind: 'fields'; readonly credentials: CredentialsEntry };

/** The parts of the sign-in page, in their order. */
export interface Layout {
  /** `undefined`: the page has only buttons. */
  readonly first: FirstForm | undefined;
  readonly passkeys: readonly PasskeyEntry[];
  readonly services: readonly OAuthEntry[];
  /** The names of services stand in two columns, below one caption. */
  readonly isGrid: boolean;
  /** Further ways, each in an element that opens. */
  readonly others: readonly (EmailEntry | CredentialsEntry | PasskeyEntry)[];
}

/** More services than this are shown in two columns. */
const MOST_IN_ONE_COLUMN = 6;

/**
 * Returns the layout of the sign-in page. It depends on the configuration alone: one field for an address or a name,
 * and one primary button. The rows are in `layout.test.ts`.
 */
export function layoutOf(entries: readonly SignInEntry[]): Layout {
  const services = entries.filter((entry): entry is OAuthEntry => entry.type === 'oauth' || entry.type === 'oidc');
  const mails = entries.filter((entry) => entry.type === 'email');
  const credentials = entries.filter((entry) => entry.type === 'credentials');
  const keys = entries.filter((entry) => entry.type === 'webauthn');
  const passkeys = keys.filter(({ isDiscoverable }) => isDiscoverable);
  const first = firstForm(entries, mails, credentials, keys);
  const isFirst = (entry: SignInEntry): boolean => first !== undefined && Object.values(first).includes(entry);
  const typed = [...mails, ...credentials, ...keys.filter(({ isDiscoverable }) => !isDiscoverable)];
  return {
    first,
    passkeys,
    services,
    isGrid: services.length > MOST_IN_ONE_COLUMN,
    others: typed.filter((entry) => !isFirst(entry)),
  };
}

function firstForm(
  entries: readonly SignInEntry[],
  [mail]: readonly EmailEntry[],
  credentials: readonly CredentialsEntry[],
  keys: readonly PasskeyEntry[],
): FirstForm | undefined {
  const withPassword = credentials.find((entry) => passwordFields(entry));
  const fields = withPassword && passwordFields(withPassword);
  if (mail && withPassword && fields) return { kind: 'identifier', mail, credentials: withPassword, fields };
  if (mail) return { kind: 'mail', mail };
  if (withPassword && fields) return { kind: 'password', credentials: withPassword, fields };
  const key = keys.find(({ isDiscoverable }) => !isDiscoverable);
  if (key) return { kind: 'key', key };
  // Fields of the owner stand open only if there is no other way.
  const [other] = credentials;
  return other && credentials.length === entries.length ? { kind: 'fields', credentials: other } : undefined;
}

const NAME_TYPES: ReadonlySet<string> = new Set(['text', 'email', 'tel']);

/** Returns the fields if the visible ones are one password and one for a name, in any order. */
export function passwordFields({ fields }: CredentialsEntry): PasswordFields | undefined {
  const visible = Object.entries(fields)
    .map(([key, { type }]) => ({ key, type: typeof type === 'string' ? type.toLowerCase() : 'text' }))
    .filter(({ type }) => type !== 'hidden');
  const name = visible.find(({ type }) => NAME_TYPES.has(type));
  const password = visible.find(({ type }) => type === 'password');
  return visible.length === 2 && name && password ? { name: name.key, password: password.key } : undefined;
}
