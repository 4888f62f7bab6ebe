import type { APIEvent } from '@solidjs/start/server';
import { signOut } from '../auth.ts';

export async function POST({ nativeEvent }: APIEvent): Promise<Response> {
  const { redirect } = await signOut(nativeEvent, { redirectTo: '/' });
  return new Response(null, { status: 303, headers: { location: redirect } });
}
