import { requireMethod } from '../store/methods.ts';
import type { AccountChange } from './actor.ts';
import { readName } from './name.ts';
import { storedWays } from './ways.ts';

/** Gives the passkey that the field `id` names the name of the field `name`. */
export const renamePasskey: AccountChange = async (actor, fields) => {
  const rename = requireMethod(actor.store, 'updateAuthenticator');
  const name = readName(fields['name']);
  const passkey = (await storedWays(actor)).find(({ id }) => id === fields['id'])?.authenticator;
  const renamed = passkey ? await rename(passkey.credentialID, { name }) : null;
  return renamed ? { done: 'passkey', result: { count: 1 } } : { result: { count: 0 } };
};
