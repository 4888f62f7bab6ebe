import { callFailure } from '@latchkey/testing/binding-application';
import type { H3Event } from 'h3';

type Work = (event: H3Event, fields: Record<string, string>) => Promise<{ url?: string; updated?: unknown }>;

/** Returns a route that calls the binding, and shows the session before and after the call. */
export const callRoute = (work: Work) =>
  defineEventHandler(async (event) => {
    const fields = { ...(await readBody<Record<string, string>>(event)) };
    try {
      const before = await auth(event);
      const result = await work(event, fields);
      if (result.url && fields['redirect'] !== 'false') return sendRedirect(event, result.url);
      return { before, ...result, after: await auth(event) };
    } catch (error) {
      setResponseStatus(event, 400);
      return callFailure(error);
    }
  });
