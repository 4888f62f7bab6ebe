import { callFailure } from '@latchkey/testing/binding-application';
import type { APIContext, APIRoute } from 'astro';
import { auth } from './auth';

type Work = (context: APIContext, fields: Record<string, string>) => Promise<{ url?: string; updated?: unknown }>;

/** Returns a route that calls the binding, and shows the session before and after the call. */
export function callRoute(work: Work): APIRoute {
  return async (context) => {
    const fields = Object.fromEntries(await context.request.formData()) as Record<string, string>;
    try {
      const before = await auth(context);
      const result = await work(context, fields);
      if (result.url && fields['redirect'] !== 'false') return context.redirect(result.url);
      return Response.json({ before, ...result, after: await auth(context) });
    } catch (error) {
      return Response.json(callFailure(error), { status: 400 });
    }
  };
}
