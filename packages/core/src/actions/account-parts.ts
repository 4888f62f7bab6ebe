import type { AccountChange } from '../account/actor.ts';
import type { Action } from '../context.ts';
import type { AccountFeature } from '../types/account.ts';
import type { accountPartNames } from './account-part-names.ts';

/** A part of the account: the path `<base>/account/<name>`. */
export interface AccountPart {
  /** The part does not exist if `account.without` contains this feature. Default: the part always exists. */
  readonly feature?: AccountFeature;
  /** Answers GET, also for visitors who are signed out. Default: the part does not answer GET. */
  readonly GET?: () => Promise<Action>;
  /**
   * The change that a POST makes. The visitor must have signed in recently, and it counts against the limit of
   * changes.
   */
  readonly change?: () => Promise<AccountChange>;
  /** Answers POST instead, also for visitors who are signed out. The form has carried the CSRF token. */
  readonly POST?: () => Promise<Action>;
}

/** The parts of the account. A new part is one function, one name, and one row here. */
export const accountParts: Readonly<Record<(typeof accountPartNames)[number], AccountPart>> = {
  name: { change: async () => (await import('../account/name.ts')).changeName },
  'sign-in': { GET: async () => (await import('./account-sign-in.ts')).signInAgainPage },
  link: { change: async () => (await import('./account-link.ts')).linkProvider },
  unlink: { change: async () => (await import('../account/unlink.ts')).unlink },
  email: { feature: 'email', change: async () => (await import('../account/email.ts')).changeEmail },
  confirm: {
    feature: 'email',
    GET: async () => (await import('./account-confirm.ts')).confirmAddressForm,
    POST: async () => (await import('./account-confirm.ts')).confirmAddress,
  },
  undo: {
    feature: 'mails',
    GET: async () => (await import('./account-undo.ts')).showUndo,
    POST: async () => (await import('./account-undo.ts')).undo,
  },
  delete: {
    feature: 'delete',
    GET: async () => (await import('./account-delete.ts')).deleteForm,
    change: async () => (await import('./account-delete.ts')).deleteAccount,
  },
  export: { feature: 'export', change: async () => (await import('../account/export.ts')).exportAccount },
  passkey: { change: async () => (await import('../account/passkeys.ts')).renamePasskey },
};
