import type { Awaitable, Untyped } from '@latchkey/core/types';
import type { RequestEvent } from '@sveltejs/kit';
import type { command, form, query } from '$app/server';
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

// SvelteKit 2 and 3 export the types of remote functions from different modules, and name one differently. So they are
// read from the functions: from the overload without an argument, or from the last, which takes a schema.
type RemoteQueryFunction<Input, Output, Validated = Input> = ReturnType<
  typeof query<StandardSchema<Input, Validated>, Output>
>;
type RemoteCommand<Input, Output> = ReturnType<typeof command<StandardSchema<Input>, Output>>;
type RemoteFormWithoutInput<Output> = ReturnType<typeof form<Output>>;
/** Fields and a schema in one type, because the overloads ask for one or the other. */
type FormSchema<Input extends RemoteFormInput> = Record<string, Untyped> & StandardSchema<Input, Untyped>;
type RemoteForm<Input extends RemoteFormInput, Output> = ReturnType<typeof form<FormSchema<Input>, Output>>;
type RemoteFormInvalidField<Input extends RemoteFormInput> = Parameters<
  Parameters<typeof form<FormSchema<Input>, unknown>>[1]
>[1];

/** The fields of a form, as Kit reads them. */
export interface RemoteFormInput {
  /** A field, a group of fields, or a list. */
  [key: string]: FormValue | FormValue[] | undefined;
}
type FormValue = string | number | boolean | File | RemoteFormInput;

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
  <Output>(handler: (session: S) => Awaitable<Output>): RemoteFormWithoutInput<Output>;
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
