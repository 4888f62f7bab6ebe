import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { clientBrowser } from '../../../test/chromium.ts';
import { features, start } from './contract/start.ts';

bindingSuite({ name: 'TanStack Start 1', start, launchBrowser: clientBrowser, features }, { describe, it, afterAll });
