import { auth } from '../../../auth.ts';

export const runtime = 'edge';
export const GET = async () => Response.json(await auth());
