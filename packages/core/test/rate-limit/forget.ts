import { beforeEach } from 'vitest';
import { processCounters } from '../../src/rate-limit/memory.ts';

// Files of one worker share their modules, and their visitors have the same names, so the counters would add up.
beforeEach(() => processCounters.clear());
