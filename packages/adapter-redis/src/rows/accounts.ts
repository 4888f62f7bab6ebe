import type { Adapter, AdapterAccount } from '@latchkey/core/adapters';
import { type Claim, claimMark, commitClaims } from '../claims.ts';
import { RowNotFound } from '../errors.ts';
import { partOf } from '../keys.ts';
import type { Write } from '../plan.ts';
import { again } from '../retry.ts';
import { membersOf, ownerOf, rowText } from '../row.ts';
import type { Store } from '../store.ts';
import { checked, lookupPair, lookupPart, type MemberKind, required } from '../values.ts';
import { readUser } from './user-row.ts';
import { createUser } from './users.ts';

/** Methods about accounts. */
export type AccountMethods = Required<
  Pick<Adapter, 'linkAccount' | 'unlinkAccount' | 'getAccount' | 'updateAccount' | 'createUserWithAccount'>
>;

const KINDS: Readonly<Record<string, MemberKind>> = {
  provider: 'text',
  providerAccountId: 'text',
  type: 'text',
  userId: 'text',
  access_token: 'text',
  expires_at: 'number',
  id_token: 'text',
  refresh_token: 'text',
  scope: 'text',
  session_state: 'text',
  token_type: 'text',
};

/** The accounts of a store. One whose user is gone is nobody's, and stands in nobody's way. */
export function accountsOf(store: Store): AccountMethods {
  const { keys } = store;

  return {
    linkAccount: async (account) => {
      const { claim, list } = accountClaim(store, account, account.userId);
      const user = keys.of('user', ownerOf(claim.text));
      // The list comes first: it may name too much, but nothing of a user is missing there.
      const unmet = await commitClaims(store, [claim], (claims, before) => [
        ...before,
        { need: [['exists', user]], write: [list] },
        ...claims,
      ]);
      if (unmet !== null) throw new RowNotFound('there is no user of this id to link the account to');
      return readAccount(claim.text);
    },
    unlinkAccount: (account) => unlinkAccount(store, account),
    getAccount: async (providerAccountId, provider) => {
      const part = lookupPair(provider, providerAccountId);
      const found = part && (await store.withOwner('account', part));
      return found && found.user !== null ? readAccount(found.row) : null;
    },
    updateAccount: (account) => updateAccount(store, account),
    createUserWithAccount: async (user, account) => {
      const row = await createUser(store, user, (id) => {
        const { claim, list } = accountClaim(store, account, id);
        return { claims: [claim], write: [list] };
      });
      return readUser(row);
    },
  };
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>;

function accountClaim(store: Store, account: object, userId: unknown): { claim: Claim; list: Write } {
  const owner = partOf(required('account.userId', userId));
  const given = checked('account', KINDS, { ...account, userId }, 'more');
  const provider = required('account.provider', given['provider']);
  const providerAccountId = required('account.providerAccountId', given['providerAccountId']);
  const part = partOf([provider, providerAccountId]);
  return {
    claim: {
      key: store.keys.of('account', part),
      text: rowText(owner, claimMark(), given),
      name: 'account.providerAccountId',
    },
    list: ['add', store.keys.of('accounts', owner), part],
  };
}

async function unlinkAccount(store: Store, account: AccountKey): Promise<AdapterAccount | undefined> {
  const part = lookupPair(account.provider, account.providerAccountId);
  if (part === null) return undefined;
  const key = store.keys.of('account', part);
  return again(async () => {
    const row = await store.get(key);
    if (row === null) return { done: undefined };
    const unmet = await store.commit([
      { need: [['is', key, row]], write: [['drop', key]] },
      // In several steps the list keeps the entry: it could be that of the same account, linked again meanwhile.
      { write: store.keys.tag === 'all' ? [['remove', store.keys.of('accounts', ownerOf(row)), part]] : [] },
    ]);
    return unmet === null ? { done: readAccount(row) } : undefined;
  });
}

/** The account must have the same owner still: tokens never get to one that has changed hands meanwhile. */
async function updateAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount | null> {
  const part = lookupPair(account.provider, account.providerAccountId);
  const changes = checked('account', KINDS, account, 'more');
  if (part === null) return null;
  const key = store.keys.of('account', part);
  return again(async () => {
    const row = await store.get(key);
    if (row === null || ownerOf(row) !== lookupPart(account.userId)) return { done: null };
    // What says whose account it is stays as it is.
    const { provider: _, providerAccountId: __, type: ___, ...tokens } = changes;
    const next = rowText(ownerOf(row), null, { ...membersOf(row), ...tokens });
    const unmet = await store.commit([{ need: [['is', key, row]], write: [['put', key, next, '']] }]);
    return unmet === null ? { done: readAccount(next) } : undefined;
  });
}

/** An account without the members of the contract that it has no value for. */
function readAccount(row: string): AdapterAccount {
  const members = Object.entries(membersOf(row));
  return Object.fromEntries(
    members.filter(([name, value]) => value !== null || !Object.hasOwn(KINDS, name)),
  ) as unknown as AdapterAccount;
}
