import { drizzle, kysely, pg } from './worlds.ts';
import { instantsAreKept } from './zones.ts';

instantsAreKept([pg, ...kysely, ...drizzle]);
