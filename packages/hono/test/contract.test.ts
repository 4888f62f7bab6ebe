import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { features, start } from './contract/start.ts';

bindingSuite({ name: 'Hono 4', start, features }, { describe, it, afterAll });
