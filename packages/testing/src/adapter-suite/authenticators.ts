import type { AdapterAuthenticator } from '@latchkey/core/adapters';
import { nothing, refused, same } from './expect.ts';
import type { Case } from './runner.ts';
import { aUser, fresh } from './samples.ts';

/** Cases about WebAuthn authenticators. */
export function authenticators(it: Case): void {
  it('creates an authenticator and finds it by its credential', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const authenticator = anAuthenticator(user.id);
    same(picked(await adapter.createAuthenticator(authenticator)), authenticator, 'as created');
    same(picked(await adapter.getAuthenticator(authenticator.credentialID)), authenticator, 'as read');
    nothing(await adapter.getAuthenticator(fresh('unknown')), 'by an unknown credential');
  });

  it('lists the authenticators of a user', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const own = [anAuthenticator(user.id), anAuthenticator(user.id, { transports: null })];
    for (const one of [...own, anAuthenticator(other.id)]) await adapter.createAuthenticator(one);
    const listed = await adapter.listAuthenticatorsByUserId(user.id);
    const ids = (rows: readonly AdapterAuthenticator[]): string[] => rows.map((row) => row.credentialID).sort();
    same(ids(listed), ids(own), 'credentials');
    same(await adapter.listAuthenticatorsByUserId(fresh('nobody')), [], 'of an unknown user');
  });

  it('counts the uses of an authenticator', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const { credentialID } = await adapter.createAuthenticator(anAuthenticator(user.id));
    same((await adapter.updateAuthenticatorCounter(credentialID, 7)).counter, 7, 'counter');
    same((await adapter.getAuthenticator(credentialID))?.counter, 7, 'counter as read');
    await refused(() => adapter.updateAuthenticatorCounter(fresh('unknown'), 1), 'an unknown credential');
  });
}

function anAuthenticator(userId: string, members: Partial<AdapterAuthenticator> = {}): AdapterAuthenticator {
  return {
    credentialID: fresh('credential'),
    credentialPublicKey: 'cHVibGljIGtleQ==',
    counter: 0,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: 'internal,hybrid',
    providerAccountId: fresh('account'),
    userId,
    ...members,
  };
}

function picked(row: AdapterAuthenticator | null): unknown {
  if (!row) return row;
  const { credentialID, credentialPublicKey, counter, credentialDeviceType, credentialBackedUp } = row;
  const { transports, providerAccountId, userId } = row;
  return {
    credentialID,
    credentialPublicKey,
    counter,
    credentialDeviceType,
    credentialBackedUp,
    transports,
    providerAccountId,
    userId,
  };
}
