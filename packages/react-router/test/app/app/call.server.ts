import type { RouterContext } from '@latchkey/react-router';
import { callFailure } from '@latchkey/testing/binding-application';
import type { ActionFunctionArgs } from 'react-router';
import { auth } from './auth.server.ts';

type Work = (context: RouterContext, fields: Record<string, string>) => Promise<object>;

/** Returns an action that calls the binding, and shows the session before and after the call. */
export function call(work: Work) {
  return async ({ request, context }: ActionFunctionArgs): Promise<Response> => {
    const fields = Object.fromEntries(await request.formData()) as Record<string, string>;
    if (fields['redirect'] === 'false') Object.assign(fields, { redirect: false });
    try {
      const before = await auth(context);
      const result = await work(context, fields);
      return Response.json({ before, ...result, after: await auth(context) });
    } catch (error) {
      return Response.json(callFailure(error), { status: 400 });
    }
  };
}
