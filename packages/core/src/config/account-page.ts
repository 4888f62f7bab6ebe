import type { Settings } from './settings.ts';

/** Returns whether there is a page on which users manage their account: the built-in one, or the application's own. */
export function hasAccountPage({ account, pages }: Settings): boolean {
  return account !== undefined && (account.page !== false || pages.account !== undefined);
}
