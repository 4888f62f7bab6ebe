import { join } from 'node:path';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { testDataRequests } from '../../../packages/react-router/test/contract/data-requests.ts';
import { buildApp, serve } from '../../../packages/react-router/test/contract/start.ts';
import { clientBrowser } from '../../chromium.ts';

const folder = import.meta.dirname;
const building = { file: '' };
beforeAll(async () => {
  building.file = await buildApp(folder);
});

const start = (setup = {}) => serve(building.file, setup, join(folder, 'server.mjs'));

// The features are those of React Router 8.
const features = { absoluteTarget: false, parseBodies: false, ignoresProxy: false, refusesHosts: false };
bindingSuite({ name: 'React Router 7.9', start, launchBrowser: clientBrowser, features }, { describe, it, afterAll });

describe("requests of React Router 7's client", () => testDataRequests(start));
