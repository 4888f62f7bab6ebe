import { callFailure } from '@latchkey/testing/binding-application';
import { auth } from './auth.server.ts';

/** Returns a route that calls the binding, and shows the session before and after the call. */
export function call(work: (fields: Record<string, string>) => Promise<object>) {
  return async ({ request }: { request: Request }): Promise<Response> => {
    const fields = Object.fromEntries(await request.formData()) as Record<string, string>;
    try {
      const before = await auth();
      const result = await work(fields);
      return Response.json({ before, ...result, after: await auth() });
    } catch (error) {
      return Response.json(callFailure(error), { status: 400 });
    }
  };
}
