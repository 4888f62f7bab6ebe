import { beforeEach } from 'vitest';
import { processCounters } from '../../src/rate-limit/memory.ts';

// The one thing that outlives a test on purpose: files of one worker share their modules, and their visitors have the same names.
beforeEach(() => processCounters.clear());
