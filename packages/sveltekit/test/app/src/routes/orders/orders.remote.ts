import { z } from 'zod';
import { getRequestEvent, query as openQuery } from '$app/server';
import { signOut } from '../../auth.ts';
import { admin, command, form, query } from '../../lib/server/guarded.ts';
import { scene } from '../../scene.ts';

interface Visitor {
  user?: { name?: string | null };
}

/** Records a call, and returns what it was. */
function note(
  what: string,
  { user }: Visitor,
  input?: unknown,
): { visitor: string | null | undefined; input: unknown } {
  scene().calls.push(what);
  return { visitor: user?.name, input };
}

const number = z.string().refine((id) => {
  scene().calls.push('validation');
  return /^\d+$/.test(id);
}, 'must be a number');

export const all = query((session) => note('all', session));
export const one = query(number.transform(Number), (session, id) => note('one', session, id));
export const find = query('unchecked', (session, text: string) => note('find', session, text));
export const many = query.batch(number, (session, ids) => {
  const { visitor } = note('many', session);
  return (id, index) => ({ visitor, input: `${id} of ${ids.length}, index ${index}` });
});
export const cancel = command(number, (session, id) => note('cancel', session, id));
export const leave = command(async (session) => {
  const fields = new FormData();
  fields.set('redirect', 'false');
  await signOut(getRequestEvent(), fields);
  await all().refresh();
  return note('leave', session);
});
export const rename = form(z.object({ id: number }), (session, { id }, issue) => {
  if (id === '13') throw issue.id('is not yours');
  return note('rename', session, id);
});
export const touch = form((session) => note('touch', session));
export const upload = form('unchecked', (session, data: { id: string }) => note('upload', session, data.id));
export const adminQuery = admin.query((session) => note('adminQuery', session));
export const adminCommand = admin.command(number, (session, id) => note('adminCommand', session, id));
export const adminForm = admin.form((session) => note('adminForm', session));

/** Without a guard. */
export const open = openQuery(() => 'open');
