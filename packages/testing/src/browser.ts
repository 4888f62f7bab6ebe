import { type CookieAttributes, CookieJar, type RejectedCookie, type StoredCookie } from './browser/cookie-jar.ts';
import { type Form, type FormButton, type FormField, filledIn, parseForms, toFormData } from './browser/forms.ts';
import { type Page, readPage, type SentRequest } from './browser/page.ts';
import {
  addMetadata,
  type BrowserOptions,
  type FollowOptions,
  type Handler,
  type OpenOptions,
  type Outgoing,
  originWithSite,
  type Site,
  type SubmitOptions,
  siteOf,
  toSearchParams,
} from './browser/request.ts';
import { parseSetCookies, type SetCookie } from './browser/set-cookie.ts';

export type {
  BrowserOptions,
  CookieAttributes,
  CookieJar,
  FollowOptions,
  Form,
  FormButton,
  FormField,
  Handler,
  OpenOptions,
  Page,
  RejectedCookie,
  SentRequest,
  SetCookie,
  Site,
  StoredCookie,
  SubmitOptions,
};

/** The number of redirects that browsers follow. */
const MOST_REDIRECTS = 20;

/**
 * A browser without a window: cookies as in RFC 6265bis, redirects one by one, forms without scripts.
 *
 * ```ts
 * const browser = new Browser((request) => Auth(request, config), { origin: 'https://app.test' });
 * const page = await browser.get('/auth/signin');
 * const reply = await browser.submit(browser.form(page), { email: 'ada@example.com' });
 * ```
 */
export class Browser {
  /** The cookie jar. */
  readonly cookies: CookieJar;
  /** Each `Set-Cookie` that a real browser refuses, with the reason. */
  readonly rejected: RejectedCookie[] = [];
  /** The responses so far, the oldest first. */
  readonly history: Page[] = [];
  /** The origin against which paths are resolved. */
  readonly origin: string;
  readonly #handler: Handler;
  readonly #options: BrowserOptions;

  constructor(handler: Handler, options: BrowserOptions = {}, cookies?: CookieJar) {
    const { origin = 'http://localhost:3000', now = () => new Date(), trustLoopback = true } = options;
    const url = new URL(origin);
    this.origin = url.origin;
    this.cookies = cookies ?? new CookieJar({ url, now, trustLoopback });
    this.#handler = handler;
    this.#options = options;
  }

  /** Opens an address, as a visitor who types it into the address bar. */
  get(address: string | URL, options: Omit<OpenOptions, 'body' | 'method'> = {}): Promise<Page> {
    return this.open(address, options);
  }

  /**
   * Posts fields as a form of the same origin does. With `json` it posts a JSON body as a script of the same origin
   * does.
   */
  post(
    address: string | URL,
    body: Readonly<Record<string, unknown>> | URLSearchParams | FormData = {},
    { json = false, ...options }: Omit<OpenOptions, 'body' | 'method'> & { json?: boolean } = {},
  ): Promise<Page> {
    if (body instanceof URLSearchParams || body instanceof FormData) return this.open(address, { ...options, body });
    if (!json) return this.open(address, { ...options, body: toSearchParams(body) });
    const headers = new Headers(options.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return this.open(address, { mode: 'cors', ...options, headers, body: JSON.stringify(body) });
  }

  /** Sends one request and keeps the cookies of the response. Does not follow redirects. */
  async open(address: string | URL, options: OpenOptions = {}): Promise<Page> {
    const url = new URL(address, this.origin);
    url.hash = '';
    const { body, method = body === undefined ? 'GET' : 'POST', mode = 'navigate' } = options;
    const site = options.site ?? (method === 'GET' && mode === 'navigate' ? 'none' : 'same-origin');
    const headers = new Headers(options.headers);
    if (body instanceof URLSearchParams && !headers.has('content-type')) {
      headers.set('content-type', 'application/x-www-form-urlencoded');
    }
    return this.#send({
      url,
      method,
      mode,
      headers,
      body: body instanceof URLSearchParams ? body.toString() : body,
      initiator: options.initiator ?? originWithSite(site, url),
    });
  }

  /**
   * Follows the redirect of a page.
   *
   * @throws {Error} if the page is not a redirect, or after 20 redirects.
   */
  async follow(page: Page, { until = () => true }: FollowOptions = {}): Promise<Page> {
    const isEnd =
      typeof until === 'function' ? until : (reached: Page) => until === 'other-origin' && leavesOrigin(reached);
    if (!page.redirect) throw new Error(`the page is not a redirect: ${page.status} ${page.url}`);
    if (until === 'other-origin' && leavesOrigin(page)) return page;
    let current = page;
    for (let count = 0; count < MOST_REDIRECTS; count += 1) {
      current = await this.#step(current);
      if (!current.redirect || isEnd(current)) return current;
    }
    throw new Error(`more than ${MOST_REDIRECTS} redirects, last to ${current.location}`);
  }

  /** Returns the forms of a page, in order. */
  forms(page: Page): Form[] {
    return parseForms(page.text(), page.url);
  }

  /**
   * Returns the first form of a page, or the first that `which` accepts: a function, or a part of the form's action.
   *
   * @throws {Error} if the page does not have such a form.
   */
  form(page: Page, which: string | ((form: Form) => boolean) = () => true): Form {
    const accepts = typeof which === 'string' ? (form: Form) => form.action.includes(which) : which;
    const found = this.forms(page).find(accepts);
    if (!found)
      throw new Error(`the page does not have such a form: ${page.status} ${page.url}: ${page.text().slice(0, 200)}`);
    return found;
  }

  /**
   * Submits a form with its fields and the overrides. An override that is `undefined` removes a field; a new name adds
   * one. `button` selects a button by name, value or label. Default: the first button, as the Enter key does.
   *
   * @throws {Error} if the form does not have such a button.
   */
  submit(
    form: Form,
    overrides: Readonly<Record<string, string | undefined>> = {},
    options: SubmitOptions = {},
  ): Promise<Page> {
    const { button: wanted, ...open } = options;
    const button =
      wanted === undefined
        ? form.buttons[0]
        : form.buttons.find((one) => [one.name, one.value, one.text].includes(wanted));
    if (wanted !== undefined && !button)
      throw new Error(`the form to ${form.action} does not have a button "${wanted}"`);
    const fields = filledIn(form, overrides, button);
    const action = new URL(button?.action ?? form.action);
    const from = { initiator: new URL(form.url).origin, ...open };
    if ((button?.method ?? form.method) === 'GET') {
      action.search = new URLSearchParams(fields).toString();
      return this.open(action, { ...from, method: 'GET' });
    }
    return this.open(action, {
      ...from,
      method: 'POST',
      body: form.enctype === 'multipart/form-data' ? toFormData(fields) : new URLSearchParams(fields),
    });
  }

  /** Returns a second browser with a copy of the cookies: for replays and stolen cookies. */
  clone(): Browser {
    return new Browser(this.#handler, this.#options, this.cookies.clone());
  }

  /** 301–303 change POST to GET, 307 and 308 repeat it (Fetch §4.4). The initiator stays that of the first request. */
  #step({ redirect, status, request }: Page): Promise<Page> {
    if (!redirect) throw new Error('the page is not a redirect');
    const repeats = status === 307 || status === 308 || request.method === 'GET' || request.method === 'HEAD';
    const headers = new Headers();
    const type = request.headers.get('content-type');
    if (repeats && type && typeof request.body === 'string') headers.set('content-type', type);
    const { initiator } = request;
    const url = new URL(redirect);
    url.hash = '';
    // After a redirect through another site, Sec-Fetch-Site stays cross-site. SameSite depends on initiator and target
    // only.
    const crossed =
      initiator !== undefined &&
      (request.headers.get('sec-fetch-site') === 'cross-site' || siteOf(initiator, url) === 'cross-site');
    return this.#send({
      url,
      method: repeats ? request.method : 'GET',
      mode: 'navigate',
      headers,
      body: repeats ? request.body : undefined,
      initiator,
      ...(crossed ? { declaredSite: 'cross-site' as const } : {}),
    });
  }

  async #send({ url, method, mode, headers, body, initiator, declaredSite }: Outgoing): Promise<Page> {
    const site = siteOf(initiator, url);
    const cookie = this.cookies.header({ url, method, site, navigation: mode === 'navigate' });
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie);
    if (this.#options.sendMetadata !== false)
      addMetadata(headers, { method, mode, initiator, site: declaredSite ?? site });
    const request = new Request(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
    const response = await this.#handlerFor(url)(request);
    const setCookies = parseSetCookies(response.headers);
    this.rejected.push(...this.cookies.receive(setCookies, url));
    const page = await readPage(response, { method, url: url.href, headers, initiator, body }, setCookies);
    this.history.push(page);
    return page;
  }

  #handlerFor({ origin }: URL): Handler {
    const { routes } = this.#options;
    const handler = routes?.[origin];
    if (handler) return handler;
    if (routes && origin !== this.origin)
      throw new Error(`${origin} is not a route of the browser: add it to \`routes\``);
    return this.#handler;
  }
}

function leavesOrigin(page: Page): boolean {
  return page.redirect !== undefined && page.redirect.origin !== new URL(page.url).origin;
}
