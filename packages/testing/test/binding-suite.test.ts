import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { startReference } from './reference-application.ts';

bindingSuite({ name: 'the reference binding', start: (setup) => startReference(setup) }, { describe, it, afterAll });
