import type { NextRequest } from 'next/server';
import { faultOf } from '../../../../faults.ts';

type Context = { params: Promise<{ fault: string }> };

export async function GET(request: NextRequest, context: Context) {
  const { fault } = await context.params;
  const { auth } = faultOf(fault);
  const wrapped = auth((seen, _context: Context) => Response.json({ wrapped: seen.auth }));
  const response = await wrapped(request, context);
  return Response.json({ here: await auth(), status: response.status, body: await response.text() });
}
