import { update } from '../auth';
import { callRoute } from '../call';

export const POST = callRoute(async (context, { name }) => ({ updated: await update(context, { name }) }));
