import type { APIEvent } from '@solidjs/start/server';
import { requireSession } from '../../auth.ts';

export async function GET({ nativeEvent }: APIEvent) {
  return (await requireSession(nativeEvent))?.user;
}
