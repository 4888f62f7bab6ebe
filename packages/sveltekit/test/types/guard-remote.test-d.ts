import { type SessionReadOptions, SvelteKitAuth } from '@latchkey/sveltekit';
import { guardRemote } from '@latchkey/sveltekit/guard-remote';
import { z } from 'zod';
import type { RemoteCommand, RemoteForm, RemoteQueryFunction } from '$app/server';
import type { Same } from '../../../core/test/types/assert.ts';

declare function is<T extends true>(_?: T): void;

const { auth } = SvelteKitAuth({
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, plan: 'free' as const }) },
});
is<Same<Parameters<typeof auth>[1], SessionReadOptions | undefined>>();
const { query, command, form } = guardRemote(auth, { authorize: ({ plan }) => plan === 'free' });
const number = z.string().transform(Number);

// The session is that of the application. Without a schema, there is no argument.
const plan = query(({ plan }) => plan);
is<Same<typeof plan, RemoteQueryFunction<void, 'free'>>>();
const clear = command(async ({ plan }) => plan);
is<Same<typeof clear, RemoteCommand<void, 'free'>>>();
const touch = form(({ plan }) => plan);
is<Same<typeof touch, RemoteForm<void, 'free'>>>();

// A schema: callers pass its input, handlers receive its output.
const one = query(number, (session, id) => [session.plan, id] as const);
is<Same<typeof one, RemoteQueryFunction<string, readonly ['free', number], number>>>();
const many = query.batch(number, (_session, ids) => (id, index) => ids.length + id + index);
is<Same<typeof many, RemoteQueryFunction<string, number, number>>>();
const cancel = command(number, (_session, id) => id);
is<Same<typeof cancel, RemoteCommand<string, number>>>();
const rename = form(z.object({ id: number }), (_session, { id }, issue) => {
  if (id === 0) throw issue.id('must not be 0');
  return id;
});
is<Same<typeof rename, RemoteForm<{ id: string }, number>>>();

// No validation: the type is the handler's.
const find = query('unchecked', (_session, text: string) => text);
is<Same<typeof find, RemoteQueryFunction<string, string>>>();

// @ts-expect-error: the session of the application has no such member
query(({ role }) => role);
// @ts-expect-error: neither a schema nor 'unchecked'
query('unsafe', (_session, text: string) => text);
// @ts-expect-error: not a field of the form
form(z.object({ id: number }), (_session, { name }) => name);
