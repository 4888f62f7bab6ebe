import type { APIEvent } from '@solidjs/start/server';
import { update } from '../auth.ts';

export async function POST({ nativeEvent, request }: APIEvent): Promise<Response> {
  await update(nativeEvent, { name: (await request.formData()).get('name') });
  return new Response(null, { status: 303, headers: { location: '/' } });
}
