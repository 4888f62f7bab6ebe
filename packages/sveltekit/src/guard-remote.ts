import { error, type RequestEvent } from '@sveltejs/kit';
import { command, form, getRequestEvent, query } from '$app/server';
import type { GuardedRemote, GuardRemoteOptions, RemoteAuth, StandardSchema } from './remote-types.ts';
import type { SessionReadOptions } from './sveltekit-auth.ts';

export type {
  GuardedBatch,
  GuardedCommand,
  GuardedForm,
  GuardedQuery,
  GuardedRemote,
  GuardRemoteOptions,
  InputOf,
  OutputOf,
  RemoteAuth,
  RemoteFormInput,
  SchemaIssue,
  StandardSchema,
  Validated,
} from './remote-types.ts';

/**
 * Returns Kit's `query`, `query.batch`, `command` and `form` for signed-in visitors. The session is the first parameter
 * of each handler. The guard runs before the validation, and before the handler.
 *
 * ```ts
 * // src/lib/server/guarded.ts
 * export const { query, command, form } = guardRemote(auth);
 * // src/routes/orders.remote.ts
 * export const cancel = command(z.string(), (session, id) => db.cancel(session.user?.id, id));
 * ```
 *
 * Without a session, a call fails with `error(401)`. If the session cannot be read, for example because the
 * configuration has a problem, it fails with the status 500. Needs SvelteKit 3, or 2 from version 2.65 on, and the
 * option `experimental.remoteFunctions`.
 *
 * `query.live` and `prerender` are not wrapped: a live query goes on after the check, and the result of `prerender` is
 * public.
 *
 * @param auth The function `auth` of `SvelteKitAuth()`.
 */
export function guardRemote<S>(auth: RemoteAuth<S>, options: GuardRemoteOptions<S> = {}): GuardedRemote<S> {
  const read = guardWith(auth, options, 'never');
  const write = guardWith(auth, options, 'when-due');
  const batch = wrap(query.batch as Make, read, noInput);
  const wrapped = {
    query: Object.assign(wrap(query as Make, read, noInput), { batch }),
    command: wrap(command as Make, write, noInput),
    // A form without a schema may have fields. Its handler does not receive them.
    form: wrap(form as Make, write, anyInput),
  };
  return wrapped as unknown as GuardedRemote<S>;
}

const guarded = new WeakSet<object>();

/**
 * Returns whether a remote function has been made by {@link guardRemote}. A test can import all `.remote.ts` files and
 * fail on an export without a guard.
 *
 * ```ts
 * isGuarded(orders); // true
 * ```
 */
export function isGuarded(fn: unknown): boolean {
  return (typeof fn === 'object' || typeof fn === 'function') && fn !== null && guarded.has(fn);
}

/** Returns the session of the current request, or fails with Kit's `error`. */
type Guard<S> = () => Promise<S>;

function guardWith<S>(
  auth: RemoteAuth<S>,
  { authorize }: GuardRemoteOptions<S>,
  renew: SessionReadOptions['renew'],
): Guard<S> {
  const check = async (event: RequestEvent): Promise<S> => {
    const session = await auth(event, { renew });
    if (session === null) return error(401, 'Unauthorized');
    if (authorize && !(await authorize(session))) return error(403, 'Forbidden');
    return session;
  };
  // Kit makes an event for each call, so a call after a sign-out is checked again. The inputs of a batch share one.
  const checked = new WeakMap<RequestEvent, Promise<S>>();
  return () => {
    const event = getRequestEvent();
    const session = checked.get(event) ?? check(event);
    checked.set(event, session);
    return session;
  };
}

/** A handler as Kit calls it. `issue` is for forms. */
type KitHandler = (input: unknown, issue?: unknown) => Promise<unknown>;
/** Makes a remote function with a schema: `query`, `command` and `form` of Kit. */
type Make = (schema: StandardSchema, handler: KitHandler) => object;
/** A handler of the application. */
type Handler<S> = (session: S, input?: unknown, issue?: unknown) => unknown;

/** Kit validates first. So the schema runs the guard, also where the application gives no schema. */
function wrap<S>(make: Make, guard: Guard<S>, withoutSchema: StandardSchema) {
  return (...given: [Handler<S>] | [StandardSchema | 'unchecked', Handler<S>]): object => {
    const [validate, handler] = given.length === 1 ? [withoutSchema, (session: S) => given[0](session)] : given;
    const schema = validate === 'unchecked' ? anyInput : validate;
    if (typeof schema?.['~standard']?.validate !== 'function' || typeof given.at(-1) !== 'function') {
      throw new TypeError("A guarded remote function takes a Standard Schema or 'unchecked', and then its handler");
    }
    const fn = make(guardedSchema(schema, guard), async (input, issue) => handler(await guard(), input, issue));
    guarded.add(fn);
    return fn;
  };
}

function guardedSchema(schema: StandardSchema, guard: Guard<unknown>): StandardSchema {
  return schemaOf(async (value) => {
    await guard();
    return schema['~standard'].validate(value);
  });
}

const anyInput = schemaOf((value) => ({ value }));

const noInput = schemaOf((value) =>
  value === undefined ? { value } : { issues: [{ message: 'This function takes no argument' }] },
);

function schemaOf(validate: StandardSchema['~standard']['validate']): StandardSchema {
  return { '~standard': { version: 1, vendor: 'latchkey', validate } };
}
