import { icon } from '../../../shared/style.ts';

export function GET(): Response {
  return new Response(icon, { headers: { 'content-type': 'image/svg+xml' } });
}
