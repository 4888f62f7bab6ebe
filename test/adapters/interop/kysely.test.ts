import { interopFlows } from './flows.ts';
import { kysely } from './worlds.ts';

for (const kind of kysely) interopFlows(kind);
