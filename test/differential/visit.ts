import { Browser, type Page, type SetCookie } from '@latchkey/testing';
import type { Library } from '../peers/libraries.ts';
import { type Heard, type Kit, makeKit } from './kit.ts';
import { steady, steadyAddress } from './steady.ts';

/** One request sequence with the configuration it needs. */
export interface Scenario {
  /** The subject of the comparison, in plain words. */
  readonly title: string;
  /** Default: {@link standard}. */
  readonly config?: (kit: Kit) => object;
  /** Default: `http://localhost:3000`. */
  readonly origin?: string;
  readonly visit: (visit: Visit) => Promise<unknown>;
}

/** The parts of an answer. */
export type Seen = Readonly<Record<string, unknown>>;

/** The configuration of scenarios that do not bring their own. */
export function standard(kit: Kit): object {
  return { providers: [kit.idp(), kit.plain(), kit.credentials()], callbacks: kit.callbacks(), events: kit.events() };
}

/** A visitor of one of the two servers, whose every answer is written down. */
export class Visit {
  readonly kit: Kit;
  readonly browser: Browser;
  readonly seen: { step: string; parts: Seen }[] = [];

  constructor(library: Library, { config = standard, origin = 'http://localhost:3000' }: Scenario) {
    this.kit = makeKit(library);
    const full = {
      secret: 'a secret that both servers know, 32+',
      trustHost: true,
      logger: { warn: () => undefined, error: () => undefined },
      ...config(this.kit),
    };
    this.browser = new Browser((request) => library.auth(request, full), { origin });
  }

  async get(path: string, options: Parameters<Browser['get']>[1] = {}): Promise<Page> {
    return this.#note(`GET ${path}`, await this.browser.get(path, options));
  }

  async open(path: string, options: NonNullable<Parameters<Browser['open']>[1]>): Promise<Page> {
    return this.#note(`${options.method} ${path}`, await this.browser.open(path, options));
  }

  /** Posts with the visitor's CSRF token; `fields` may replace it. */
  async post(path: string, fields: object = {}, options: Parameters<Browser['post']>[2] = {}): Promise<Page> {
    const csrfToken = await this.token();
    return this.#note(`POST ${path}`, await this.browser.post(path, { csrfToken, ...fields }, options));
  }

  async token(): Promise<string> {
    return (await this.browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
  }

  /** From the button to the page after the provider. */
  async signIn(
    id = 'idp',
    {
      callbackUrl = '/inside',
      ...consent
    }: { callbackUrl?: string } & Parameters<Kit['provider']['authorize']>[1] = {},
  ): Promise<Page> {
    return this.comeBack(await this.post(`/auth/signin/${id}`, { callbackUrl }), consent);
  }

  async comeBack(redirect: Page, consent: Parameters<Kit['provider']['authorize']>[1] = {}): Promise<Page> {
    const { provider, plainProvider } = this.kit;
    const asked = redirect.location ?? '';
    const address = await (asked.startsWith(plainProvider.issuer) ? plainProvider : provider).authorize(asked, consent);
    const page = await this.browser.get(address, { site: 'cross-site' });
    return this.#note(`GET ${new URL(address).pathname}`, page);
  }

  #note(step: string, page: Page): Page {
    this.seen.push({ step, parts: { ...partsOf(page), ...heardParts(this.kit.log.splice(0)) } });
    return page;
  }
}

function partsOf(page: Page): Record<string, unknown> {
  const parts: Record<string, unknown> = { status: page.status, location: steadyAddress(page.location) };
  for (const [name, value] of page.headers) {
    if (name !== 'set-cookie' && name !== 'location') parts[`header ${name}`] = value;
  }
  for (const cookie of page.setCookies) parts[`cookie ${cookie.name}`] = cookieLine(cookie);
  parts['body'] = bodyOf(page);
  return parts;
}

/** Returns the order of all calls, and the arguments of each kind of call. */
function heardParts(log: readonly Heard[]): Record<string, unknown> {
  const parts: Record<string, unknown> = { calls: log.map(({ what }) => what) };
  for (const { what } of log) {
    const said = log.filter((heard) => heard.what === what).map(({ args }) => args);
    parts[`told to ${what}`] = said[0];
  }
  return parts;
}

function cookieLine({ value, name, line: _, ...attributes }: SetCookie): unknown {
  const kind = value === '' ? 'empty' : name.endsWith('callback-url') ? decodeURIComponent(value) : 'value';
  return steady({ ...attributes, kind });
}

function bodyOf(page: Page): unknown {
  const text = page.text();
  if (page.headers.get('content-type')?.startsWith('text/html')) return '<page>';
  return page.headers.get('content-type') === 'application/json' ? steady(page.json()) : text;
}
