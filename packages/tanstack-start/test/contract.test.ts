import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { features, start } from './contract/start.ts';

bindingSuite({ name: 'TanStack Start 1', start, features }, { describe, it, afterAll });
