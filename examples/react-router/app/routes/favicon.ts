import { icon } from '../../../shared/style.ts';

export const loader = () => new Response(icon, { headers: { 'content-type': 'image/svg+xml' } });
