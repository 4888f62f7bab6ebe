import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Demo, dataFolder, type Example, freePort, startDemo } from './demo.ts';
import { startTlsProxy, type TlsProxy } from './tls-proxy.ts';
import { launch, openPage } from './visit.ts';

/** The demo, running for the tests of one `describe`, and a browser in front of it. */
export interface DemoInBrowser {
  /** Address of the demo. */
  readonly origin: string;
  /** Address of its inbox. */
  readonly inbox: string;
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

/** How the demo runs. */
export interface DemoOptions {
  /** Its environment, beside our own. */
  env?: Record<string, string> | undefined;
  /** A reverse proxy stands before it, and visitors come by https. Default: `false`. */
  tls?: boolean | undefined;
}

/** Milliseconds. A demo may have to be built first, on a machine that has other things to do. */
const buildTime = 1_200_000;

/** Starts both before the tests around the call, and ends them afterwards. */
export function demoInBrowser(example: Example, { env, tls = false }: DemoOptions = {}): DemoInBrowser {
  const data = dataFolder();
  const complaints: string[] = [];
  const running: { start?: () => Promise<Demo>; demo?: Demo; proxy?: TlsProxy; browser?: Browser } = {};
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the demo is not running yet');
    return part;
  };
  const origin = (): string => running.proxy?.origin ?? started(running.demo).origin;

  beforeAll(async () => {
    const port = await freePort();
    if (tls) running.proxy = await startTlsProxy(await freePort(), port);
    const PUBLIC_ORIGIN = running.proxy?.origin ?? '';
    running.start = () => startDemo(example, port, data.path, { PUBLIC_ORIGIN, ...env });
    running.demo = await running.start();
    running.browser = await launch();
  }, buildTime);
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await running.browser?.close();
    await running.demo?.stop();
    await running.proxy?.stop();
    data.remove();
  });

  return {
    get origin() {
      return origin();
    },
    get inbox() {
      return /the link comes to\s+(\S+)/.exec(started(running.demo).output())?.[1] ?? '';
    },
    get browser() {
      return started(running.browser);
    },
    data: data.path,
    complaints,
    open: (path = '/', options) =>
      openPage(started(running.browser), origin() + path, complaints, { ignoreHTTPSErrors: tls, ...options }),
    async restart() {
      await started(running.demo).stop();
      running.demo = await started(running.start)();
    },
  };
}
