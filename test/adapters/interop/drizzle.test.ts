import { interopFlows } from './flows.ts';
import { drizzle } from './worlds.ts';

for (const kind of drizzle) interopFlows(kind);
