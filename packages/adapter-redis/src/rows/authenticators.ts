import type { Adapter, AdapterAuthenticator } from '@latchkey/core/adapters';
import { type Claim, claimMark, commitClaims } from '../claims.ts';
import { RowNotFound } from '../errors.ts';
import { partOf } from '../keys.ts';
import { again } from '../retry.ts';
import { type Members, membersOf, ownerOf, rowText } from '../row.ts';
import type { Store } from '../store.ts';
import { checked, lookupPart, type MemberKind, required } from '../values.ts';

/** Methods about WebAuthn authenticators. */
export type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    'createAuthenticator' | 'getAuthenticator' | 'listAuthenticatorsByUserId' | 'updateAuthenticatorCounter'
  >
>;

const KINDS: Readonly<Record<string, MemberKind>> = {
  credentialID: 'text',
  credentialPublicKey: 'text',
  counter: 'number',
  credentialDeviceType: 'text',
  credentialBackedUp: 'boolean',
  transports: 'text',
  userId: 'text',
  providerAccountId: 'text',
};

/** The authenticators of a store. One whose user is gone is none. */
export function authenticatorsOf(store: Store): AuthenticatorMethods {
  const { keys } = store;

  return {
    createAuthenticator: async (authenticator) => {
      const part = partOf(required('authenticator.credentialID', authenticator.credentialID));
      const owner = partOf(required('authenticator.userId', authenticator.userId));
      const text = rowText(owner, claimMark(), checked('authenticator', KINDS, authenticator, 'no more'));
      const claim: Claim = { key: keys.of('authenticator', part), text, name: 'authenticator.credentialID' };
      const unmet = await commitClaims(store, [claim], (claims, before) => [
        ...before,
        {
          need: [['exists', keys.of('user', owner)]],
          write: [['add', keys.of('authenticators', owner), part]],
        },
        ...claims,
      ]);
      if (unmet !== null) throw new RowNotFound('there is no user of this id to keep the authenticator for');
      return readAuthenticator(text);
    },
    getAuthenticator: async (credentialID) => {
      const part = lookupPart(credentialID);
      const found = part && (await store.withOwner('authenticator', part));
      return found && found.user !== null ? readAuthenticator(found.row) : null;
    },
    listAuthenticatorsByUserId: async (userId) => {
      const owner = lookupPart(userId);
      if (owner === null) return [];
      const [user, parts] = await Promise.all([
        store.get(keys.of('user', owner)),
        store.members(keys.of('authenticators', owner)),
      ]);
      if (user === null) return [];
      const rows = await store.getAll(parts.map((part) => keys.of('authenticator', part)));
      return rows
        .filter((row) => row !== null && ownerOf(row) === owner)
        .map((row) => readAuthenticator(row as string));
    },
    updateAuthenticatorCounter: async (credentialID, newCounter) => {
      const part = lookupPart(credentialID);
      if (part === null) throw new RowNotFound('there is no authenticator of this id');
      const key = keys.of('authenticator', part);
      const counter = checked('authenticator', KINDS, { counter: newCounter }, 'no more');
      return again(async () => {
        const row = await store.get(key);
        if (row === null) throw new RowNotFound('there is no authenticator of this id');
        const next = rowText(ownerOf(row), null, { ...membersOf(row), ...counter });
        const unmet = await store.commit([{ need: [['is', key, row]], write: [['put', key, next, '']] }]);
        return unmet === null ? { done: readAuthenticator(next) } : undefined;
      });
    },
  };
}

function readAuthenticator(row: string): AdapterAuthenticator {
  const members: Members = membersOf(row);
  return members as unknown as AdapterAuthenticator;
}
