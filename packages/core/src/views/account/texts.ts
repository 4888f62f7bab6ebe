/**
 * The texts of the page of the account. Texts are plain text. `{name}` is a placeholder, which {@link fillText}
 * replaces.
 */
export const accountTexts = {
  title: 'Your account',
  /** The page to sign in again is needed before each change. */
  notRecent: 'To change your account, sign in again first.',
  signInAgain: 'Sign in again',
  profile: 'Profile',
  name: 'Name',
  saveName: 'Save the name',
  address: 'Email address',
  noAddress: 'Your account has no email address.',
  newAddress: 'New email address',
  changeAddress: 'Change the address',
  ways: 'Ways to sign in',
  noWays: 'You have no other way to sign in.',
  mailed: 'Links by email',
  password: 'Password',
  /** A provider that is no longer configured. */
  gone: 'No longer available',
  added: 'Added on {date}',
  onlyWay: 'This is your only way to sign in. Add another one before you remove it.',
  remove: 'Remove',
  removeWay: 'Remove: {name}',
  addProvider: 'Add {provider}',
  passkeys: 'Passkeys',
  noPasskeys: 'You have no passkey yet. With one, you sign in with your fingerprint, face or screen lock.',
  addPasskey: 'Add a passkey',
  unnamed: 'Passkey',
  lastUsed: 'Last used on {date}',
  passkeyName: 'Name of the passkey',
  rename: 'Rename',
  renamePasskey: 'Rename: {name}',
  sessions: 'Sessions',
  sessionsAbout: 'See where you are signed in, and sign out on other devices.',
  showSessions: 'Show your sessions',
  data: 'Your data',
  exportAbout: 'Download what is stored about you, as a JSON file.',
  export: 'Download your data',
  deleteAbout: 'Your account is deleted, with all ways to sign in.',
  delete: 'Delete your account',
  /** After a change, by its code. */
  done: {
    name: 'Your name was changed.',
    email: 'Your email address was changed.',
    unlink: 'The way to sign in was removed.',
    passkey: 'The passkey has a new name.',
  },
  /** After a change that was refused, by the code of the error. */
  errors: {
    LastWayIn: 'This is your only way to sign in, so it was not removed. Add another one first.',
    RateLimited: 'You have made too many changes. Please wait an hour, then try again.',
    MissingCSRF: 'This page was open for too long. Nothing was changed. Please try again.',
  },
  otherError: 'Nothing was changed. Please try again.',
} as const;

/** Returns a text with the values of its placeholders. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
