import { auth, given } from '../../../../lazy.ts';

const wrapped = auth((request) => Response.json({ wrapped: request.auth }));

export async function GET(request: Parameters<typeof wrapped>[0], context: { params: Promise<Record<string, never>> }) {
  given.length = 0;
  const session = await auth();
  const response = await wrapped(request, context);
  return Response.json({ session, ...(await response.json()), given });
}
