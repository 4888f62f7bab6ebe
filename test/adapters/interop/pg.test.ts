import { interopFlows } from './flows.ts';
import { pg } from './worlds.ts';

interopFlows(pg);
