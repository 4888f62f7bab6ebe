import { limits } from '../config/defaults.ts';
import { BadRequest } from '../errors.ts';
import * as session from '../session/session.ts';
import { requireMethod } from '../store/methods.ts';
import type { AccountChange } from './actor.ts';

/** Stores a new name of the user. The session is issued again, because it contains the name. */
export const changeName: AccountChange = async ({ context, user, store }, fields) => {
  const name = readName(fields['name']);
  const changed = await requireMethod(store, 'updateUser')({ id: user.id, name });
  await context.settings.emit('updateUser', { user: changed });
  return { done: 'name', cookies: await session.changeUser(context, { name }) };
};

/**
 * Reads a name that a user has typed.
 *
 * @returns `null` for an empty name.
 * @throws {BadRequest} if it is not a text of at most 100 characters.
 */
export function readName(value: unknown): string | null {
  if (typeof value !== 'string') throw new BadRequest('the field `name` must be a text');
  // Databases refuse zero bytes and halves of surrogate pairs.
  const name = value.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim();
  if ([...name].length > limits.name) throw new BadRequest(`a name has at most ${limits.name} characters`);
  return name === '' ? null : name;
}
