import { createFileRoute } from '@tanstack/react-router';
import { icon } from '../../../shared/style.ts';

export const Route = createFileRoute('/favicon.ico')({
  server: { handlers: { GET: () => new Response(icon, { headers: { 'content-type': 'image/svg+xml' } }) } },
});
