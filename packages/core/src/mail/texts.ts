/** The texts of a mail about an account. `{placeholders}` stand for values. */
export interface MailTexts {
  /** Subject and heading. */
  readonly subject: string;
  /** The change, or the purpose of the mail. */
  readonly body: string;
  /** The purpose of the button. Only if the mail has a link. */
  readonly hint?: string;
  /** Text of the button. */
  readonly action?: string;
  /** The small print at the end. */
  readonly note: string;
}

/** The mails about accounts. */
export type MailName =
  | 'confirmAddress'
  | 'addressTaken'
  | 'addressChanged'
  | 'wayAdded'
  | 'wayRemoved'
  | 'sessionsEnded'
  | 'accountDeleted';

/**
 * The mails about accounts, in English. `{host}` is the host of the site, and `{time}` how long the link is valid.
 * `{from}`, `{to}` and `{label}` are email addresses. `{provider}` is the name of a provider. `{when}` is one of the
 * sentences in {@link phrases}.
 */
export const texts: Readonly<Record<MailName, MailTexts>> = {
  confirmAddress: {
    subject: 'Confirm your new address for {host}',
    body: 'You asked to use this address for your account at {host}.',
    hint: 'Type the code on the page that asks for it, or press the button in the browser where you asked. Code and link work once, for {time}.',
    action: 'Confirm the address',
    note: 'Type the code only on this site. {when} If you did not ask for it, ignore this email: your address is not used.',
  },
  addressTaken: {
    subject: 'You already have an account at {host}',
    body: 'Someone who is signed in to another account at {host} asked to use this address for it. You already have an account with this address, so nothing has changed.',
    note: '{when} If it was you, sign in with this address, or use another one. If it was not you, ignore this email.',
  },
  addressChanged: {
    subject: 'Your address at {host} was changed',
    body: 'The email address of your account at {host} was changed from {from} to {to}. {when}',
    hint: 'If it was not you, undo the change. You get your address back, ways to sign in that were added since are removed, and all sessions end. The link works once, for {time}.',
    action: 'Undo the change',
    note: 'If you changed the address yourself, ignore this email.',
  },
  wayAdded: {
    subject: 'A way to sign in was added at {host}',
    body: '{way} can now sign in to your account at {host}. {when}',
    hint: 'If you did not add it, remove it. All sessions end, too. The link works once, for {time}.',
    action: 'Remove it',
    note: 'If you added it yourself, ignore this email.',
  },
  wayRemoved: {
    subject: 'A way to sign in was removed at {host}',
    body: '{way} can no longer sign in to your account at {host}. {when}',
    note: 'If you did not remove it, sign in, end all sessions, and remove the ways to sign in that you do not know.',
  },
  sessionsEnded: {
    subject: 'All sessions at {host} were ended',
    body: 'All sessions of your account at {host} were ended. {when}',
    note: 'If it was not you, sign in, and remove the ways to sign in that you do not know.',
  },
  accountDeleted: {
    subject: 'Your account at {host} was deleted',
    body: 'Your account at {host} was deleted, with its ways to sign in. {when}',
    note: 'If it was not you, contact the operator of {host}.',
  },
};

/** Parts of sentences in {@link texts}. */
export const phrases: Readonly<Record<'code' | 'passkey' | 'account' | 'accountOf' | 'when' | 'noButton', string>> = {
  code: 'Your code: {code}',
  passkey: 'A passkey',
  account: 'Your account at {provider}',
  accountOf: 'Your account at {provider} ({label})',
  when: 'This happened on {date} UTC{agent}.',
  noButton: 'If the button does nothing, open this address:',
};

/** Returns a text with the values of its placeholders. A value that is missing is left out. */
export function fill(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
