import { tokenOrCode } from '../../../auth.ts';

/** The proxy does not see this route handler, which can set cookies. */
export async function GET() {
  return Response.json(await tokenOrCode());
}
