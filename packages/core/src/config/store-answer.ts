import type { Adapter } from '../adapters.ts';

/**
 * An answer of the adapter that names nobody is a failure: a session would be started for whoever came. No answer at all says
 * that there is nobody; of a session that was to be written it says nothing.
 *
 * @throws {TypeError} when the answer is none; it quotes nothing of it.
 */
export function checkAnswer(method: keyof Adapter, answer: unknown): void {
  if (!isRow(method, answer)) throw new TypeError('this is no row of a store');
}

function isRow(method: keyof Adapter, answer: unknown): boolean {
  switch (method) {
    case 'createSession':
    case 'replaceSession':
      return isSession(answer);
    case 'getSessionAndUser':
      return isNone(answer) || (isSession(memberOf(answer, 'session')) && isUser(memberOf(answer, 'user')));
    case 'createUser':
    case 'createUserWithAccount':
    case 'getUser':
    case 'getUserByAccount':
    case 'getUserByEmail':
      return isNone(answer) || isUser(answer);
    default:
      return true;
  }
}

const isNone = (answer: unknown): boolean => answer === undefined || answer === null;
const isUser = (answer: unknown): boolean => !isNone(memberOf(answer, 'id'));
const isSession = (answer: unknown): boolean => typeof memberOf(answer, 'sessionToken') === 'string';

function memberOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[name] : undefined;
}
