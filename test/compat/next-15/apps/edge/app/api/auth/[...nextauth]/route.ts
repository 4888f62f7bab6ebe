import { handlers } from '../../../../auth.ts';

export const runtime = 'edge';
export const { GET, POST } = handlers;
