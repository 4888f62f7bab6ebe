import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Demo, dataFolder, freePort, startDemo } from '../demo.ts';
import { launch, openPage } from './visit.ts';

/** The demo, running for the tests of one `describe`, and a browser in front of it. */
export interface DemoInBrowser {
  /** Address of the demo. */
  readonly origin: string;
  readonly browser: Browser;
  /** Its folder, with the database. */
  readonly data: string;
  /** What the consoles of the pages said since the last test; each test has to leave it empty. */
  readonly complaints: string[];
  /** A page in a fresh browser profile. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Ends the demo and starts it again, with the same port and data. */
  restart(): Promise<void>;
}

/** Starts both before the tests around the call, and ends them afterwards. */
export function demoInBrowser(): DemoInBrowser {
  const data = dataFolder();
  const complaints: string[] = [];
  const running: { port?: number; demo?: Demo; browser?: Browser } = {};
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the demo is not running yet');
    return part;
  };

  beforeAll(async () => {
    running.port = await freePort();
    running.demo = await startDemo(running.port, data.path);
    running.browser = await launch();
  });
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await running.browser?.close();
    await running.demo?.stop();
    data.remove();
  });

  return {
    get origin() {
      return started(running.demo).origin;
    },
    get browser() {
      return started(running.browser);
    },
    data: data.path,
    complaints,
    open: (path = '/', options) =>
      openPage(started(running.browser), started(running.demo).origin + path, complaints, options),
    async restart() {
      await started(running.demo).stop();
      running.demo = await startDemo(started(running.port), data.path);
    },
  };
}
