import type { Adapter } from '../adapters.ts';

/**
 * Is it what the method promises? An answer of the adapter that names nobody is a failure: a session would be started for whoever came.
 * No answer at all says that there is nobody; of a session that was to be written it says nothing.
 */
export function isAnswer(method: keyof Adapter, answer: unknown): boolean {
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
