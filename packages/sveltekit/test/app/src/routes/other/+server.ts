import { SvelteKitAuth } from '@latchkey/sveltekit';
import { scene } from '../../scene.ts';

/** A second use of the library, with an environment of its own; it answers as the hook would. */
export async function GET(event) {
  const { handle } = SvelteKitAuth(() => scene().config(event), scene().env);
  const target = new URL(event.url.searchParams.get('at') ?? '', event.url);
  const request = new Request(target, event.request);
  return handle({ event: { ...event, request }, resolve: () => new Response('not ours', { status: 404 }) });
}
