import type { Settings } from '../config/settings.ts';
import { AuthError } from '../errors.ts';
import type { VaultEntry, VaultKey } from '../types/token-vault.ts';
import type { ImportedAccount, UserTokens } from '../types/tokens.ts';
import { syncAccountColumns, tokensOfRow } from './accounts.ts';
import { openEntry, sealEntry } from './entry.ts';
import { oauthProviderOf, requireOAuth } from './get.ts';
import { type Vault, vaultOf } from './vault.ts';

/** Stores the tokens of a row of the table `accounts`; see `UserTokens.import`. */
export async function importRow(settings: Settings, row: ImportedAccount): Promise<boolean> {
  const provider = requireOAuth(settings, row.provider);
  const tokens = tokensOfRow(provider, row);
  if (!tokens) return false;
  const vault = await vaultOf(settings);
  const isWritten = await vault.write(await sealEntry(settings, tokens, null), null);
  if (isWritten) await syncAccountColumns(settings, provider, tokens);
  return isWritten;
}

/** Entries of one call of `scan`. */
const PAGE = 100;

/** Writes every entry again; see `UserTokens.rewrite`. */
export async function rewriteEntries(settings: Settings): ReturnType<UserTokens['rewrite']> {
  const vault = await vaultOf(settings);
  const { scan } = vault;
  if (!scan) throw new AuthError('the token vault cannot list its entries. Use one that has `scan`');
  const result = { written: 0, unreadable: 0 };
  for (let after: VaultKey | null = null; ; ) {
    const page: readonly VaultEntry[] = await scan(after, PAGE);
    for (const entry of page) result[await rewriteEntry(settings, vault, entry)]++;
    after = page.at(-1) ?? null;
    if (page.length < PAGE || after === null) return result;
  }
}

/** Tries for one entry: a refresh or a sign-in may write it at the same time. */
const TRIES = 10;

async function rewriteEntry(settings: Settings, vault: Vault, first: VaultEntry): Promise<'written' | 'unreadable'> {
  let entry: VaultEntry | null = first;
  for (let count = 0; entry && count < TRIES; count++) {
    const opened = await openEntry(settings, entry);
    if (!opened) return 'unreadable';
    if (await vault.write(await sealEntry(settings, opened.tokens, entry.version), entry.version)) {
      // The provider may not be configured any more.
      const provider = oauthProviderOf(settings, entry.provider);
      if (provider) await syncAccountColumns(settings, provider, opened.tokens);
      return 'written';
    }
    entry = await vault.read(first);
  }
  if (entry) throw new AuthError(`the token vault refused to write an entry ${TRIES} times. Call \`rewrite()\` again`);
  return 'written';
}
