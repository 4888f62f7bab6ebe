import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isWithoutChromium } from '../../../../test/chromium.ts';
import type { Scene } from '../react/app/app.ts';
import type { Site } from '../react/site.ts';

export const isWithoutBrowser: boolean = isWithoutChromium;

/** Waits until an expectation holds. */
export function soon<T>(value: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(value, { interval: 20 });
}

/** A tab with the test's page. */
export interface Tab {
  readonly page: Page;
  /** Errors in the page's console. */
  readonly complaints: string[];
  /** Text of `Who`: `status: name`. */
  who(): Promise<string>;
  /** Waits until `Who` shows it. */
  sees(text: string): Promise<void>;
  /** Another scene on the same page, as a client navigation would bring it. */
  show(scene: Scene): Promise<void>;
  /** Runs code with `app`, the page's own functions, and gives what it resolves to. */
  run<T>(code: string): Promise<T>;
  /** A server action, called from this page; its answer is what the server would render. */
  act(path: string): Promise<unknown>;
}

export interface Visit {
  readonly scene?: Scene | undefined;
  /** The server renders the scene. */
  readonly rendered?: boolean | undefined;
  /** Runs before the page's own script. */
  readonly before?: string | undefined;
}

/** Opens the page in a new tab of a browser profile. */
export async function open(profile: BrowserContext, site: Site, visit: Visit = {}): Promise<Tab> {
  const { scene = { provider: {} }, rendered, before } = visit;
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  if (before) await page.addInitScript(before);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const query = new URLSearchParams({ scene: JSON.stringify(scene), ...(rendered && { rendered: '' }) });
  await page.goto(`${site.origin}/?${query}`);
  const who = () => page.locator('#who').innerText();
  return {
    page,
    complaints,
    who,
    sees: (text) => soon(who).toBe(text),
    show: (change) => page.evaluate(`app.show(${JSON.stringify(change)})`),
    run: (code) => page.evaluate(code),
    act: (path) => page.evaluate(`fetch('/act/${path}', { method: 'POST' }).then((answer) => answer.json())`),
  };
}

/** Signs a browser profile in, by a server action of no page. */
export async function signInAs(profile: BrowserContext, site: Site, name: string): Promise<void> {
  await profile.request.post(`${site.origin}/act/sign-in?name=${name}`);
}

/** A promise, and the function that resolves it. */
export function gate(): { readonly closed: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}
