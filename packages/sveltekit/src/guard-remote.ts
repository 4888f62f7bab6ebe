import type { Awaitable } from '@latchkey/core/types';
import { error, type RequestEvent } from '@sveltejs/kit';
import {
  command,
  form,
  getRequestEvent,
  query,
  type RemoteCommand,
  type RemoteForm,
  type RemoteFormInput,
  type RemoteFormInvalidField,
  type RemoteQueryFunction,
} from '$app/server';
import type { SessionReadOptions } from './sveltekit-auth.ts';

/** A schema as libraries such as Zod and Valibot make them (https://standardschema.dev, version 1). */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The interface of the standard. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The result of a schema: the value, or its faults. */
export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** A fault of a value, and its place. */
export interface SchemaIssue {
  /** For the visitor. */
  readonly message: string;
  /** The keys that lead to the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type that a schema accepts. */
export type InputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input'];

/** The type that a schema returns. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** The function `auth` of `SvelteKitAuth()`. `S` is the session of the application. */
export type RemoteAuth<S> = (event: RequestEvent, options: SessionReadOptions) => Promise<S | null>;

/** Options of {@link guardRemote}. */
export interface GuardRemoteOptions<S> {
  /**
   * Returns whether this visitor may call the functions. Otherwise the call fails with `error(403)`. It can be called
   * twice for one submission of a form. Default: each signed-in visitor may.
   */
  authorize?: ((session: S) => Awaitable<boolean>) | undefined;
}

/** Kit's `query`, whose handler receives the session first. */
export interface GuardedQuery<S> {
  /** Without an argument. */
  <Output>(handler: (session: S) => Awaitable<Output>): RemoteQueryFunction<void, Output>;
  /** With an argument that is not validated. */
  <Input, Output>(
    unchecked: 'unchecked',
    handler: (session: S, input: Input) => Awaitable<Output>,
  ): RemoteQueryFunction<Input, Output>;
  /** With an argument that a schema validates. */
  <Schema extends StandardSchema, Output>(
    schema: Schema,
    handler: (session: S, input: OutputOf<Schema>) => Awaitable<Output>,
  ): RemoteQueryFunction<InputOf<Schema>, Output, OutputOf<Schema>>;
  /** Kit's `query.batch`, whose handler receives the session first. */
  readonly batch: GuardedBatch<S>;
}

/** Kit's `query.batch`, whose handler receives the session first. */
export interface GuardedBatch<S> {
  /** With an argument that is not validated. */
  <Input, Output>(
    unchecked: 'unchecked',
    handler: (session: S, inputs: Input[]) => Awaitable<(input: Input, index: number) => Output>,
  ): RemoteQueryFunction<Input, Output>;
  /** With an argument that a schema validates. */
  <Schema extends StandardSchema, Output>(
    schema: Schema,
    handler: (session: S, inputs: OutputOf<Schema>[]) => Awaitable<(input: OutputOf<Schema>, index: number) => Output>,
  ): RemoteQueryFunction<InputOf<Schema>, Output, OutputOf<Schema>>;
}

/** Kit's `command`, whose handler receives the session first. */
export interface GuardedCommand<S> {
  /** Without an argument. */
  <Output>(handler: (session: S) => Awaitable<Output>): RemoteCommand<void, Output>;
  /** With an argument that is not validated. */
  <Input, Output>(
    unchecked: 'unchecked',
    handler: (session: S, input: Input) => Awaitable<Output>,
  ): RemoteCommand<Input, Output>;
  /** With an argument that a schema validates. */
  <Schema extends StandardSchema, Output>(
    schema: Schema,
    handler: (session: S, input: OutputOf<Schema>) => Awaitable<Output>,
  ): RemoteCommand<InputOf<Schema>, Output>;
}

/** Kit's `form`, whose handler receives the session first. */
export interface GuardedForm<S> {
  /** Without an argument. */
  <Output>(handler: (session: S) => Awaitable<Output>): RemoteForm<void, Output>;
  /** With an argument that is not validated. */
  <Input extends RemoteFormInput, Output>(
    unchecked: 'unchecked',
    handler: (session: S, data: Input, issue: RemoteFormInvalidField<Input>) => Awaitable<Output>,
  ): RemoteForm<Input, Output>;
  /** With an argument that a schema validates. */
  <Schema extends StandardSchema<RemoteFormInput, object>, Output>(
    schema: Schema,
    handler: (session: S, data: OutputOf<Schema>, issue: RemoteFormInvalidField<InputOf<Schema>>) => Awaitable<Output>,
  ): RemoteForm<InputOf<Schema>, Output>;
}

/** The result of {@link guardRemote}. */
export interface GuardedRemote<S> {
  /** Kit's `query`. It reads the session, and never renews it: Kit refuses cookies in queries. */
  readonly query: GuardedQuery<S>;
  /** Kit's `command`. It renews the session when that is due. */
  readonly command: GuardedCommand<S>;
  /** Kit's `form`. It renews the session when that is due. */
  readonly form: GuardedForm<S>;
}

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
 * configuration has a problem, it fails with the status 500. Needs SvelteKit 3 and its option
 * `experimental.remoteFunctions`.
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
