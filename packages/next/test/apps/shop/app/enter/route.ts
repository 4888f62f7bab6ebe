import { AuthError } from '@latchkey/next';
import type { NextRequest } from 'next/server';
import { signIn } from '../../auth.ts';

async function enter(fields: Record<string, string>): Promise<Response> {
  try {
    return Response.json({ to: await signIn('credentials', { ...fields, redirect: false }) });
  } catch (error) {
    if (error instanceof AuthError) return Response.json({ error: error.type }, { status: 403 });
    throw error;
  }
}

/** A link that signs in, as some mails have it. */
export const GET = ({ nextUrl }: NextRequest) => enter(Object.fromEntries(nextUrl.searchParams));

/** A form of the application's own; Next does not look where it comes from. */
export const POST = async (request: NextRequest) =>
  enter(Object.fromEntries([...(await request.formData())].map(([name, value]) => [name, String(value)])));
