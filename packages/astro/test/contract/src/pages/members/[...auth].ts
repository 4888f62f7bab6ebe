import type { APIRoute } from 'astro';
import { members } from '../../auth';

export const ALL: APIRoute = (context) => members?.handler(context) ?? new Response('Not Found', { status: 404 });
