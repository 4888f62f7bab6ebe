import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Demo, dataFolder, freePort, startDemo } from './demo.ts';
import { startTlsProxy, type TlsProxy } from './tls-proxy.ts';
import { launch, openPage } from './visit.ts';

/** A demo that runs during the tests of one `describe`, with a browser. */
export interface DemoInBrowser {
  /** Its folder in `examples`. */
  readonly example: string;
  /** Origin of the demo. */
  readonly origin: string;
  /** URL of its inbox. */
  readonly inbox: string;
  readonly browser: Browser;
  /** The folder with its data, such as the database. */
  readonly data: string;
  /** Errors on the consoles of the pages since the last test. A test fails if it leaves some. */
  readonly complaints: string[];
  /** Opens a page in a new browser profile. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Ends the demo and starts it again, with the same port and data. */
  restart(): Promise<void>;
}

/** Options of {@link demoInBrowser}. */
export interface DemoOptions {
  /** Environment variables, besides those of the tests. */
  env?: Record<string, string> | undefined;
  /** Whether a reverse proxy with TLS is in front of the demo. Default: `false`. */
  tls?: boolean | undefined;
}

/** Starts a demo and a browser before the tests of the current `describe`, and ends both after them. */
export function demoInBrowser(example: string, { env, tls = false }: DemoOptions = {}): DemoInBrowser {
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
  });
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await running.browser?.close();
    await running.demo?.stop();
    await running.proxy?.stop();
    data.remove();
  });

  return {
    example,
    get origin() {
      return origin();
    },
    get inbox() {
      return /the mail comes to\s+(\S+)/.exec(started(running.demo).output())?.[1] ?? '';
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
      // Requests that were under way have failed, such as that for the icon, which no page waits for.
      const others = complaints.filter((text) => !/net::ERR_(CONNECTION|EMPTY)/.test(text));
      complaints.splice(0, complaints.length, ...others);
    },
  };
}
