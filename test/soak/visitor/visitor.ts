import { Browser, type Page } from '@latchkey/testing';
import { type Identity, identitiesOf, type Mode, ORIGIN } from '../people.ts';
import type { Random } from '../random.ts';
import { Cut } from '../switch.ts';
import type { Tally } from '../tally.ts';
import type { Part } from '../windows.ts';
import type { World } from '../world.ts';
import { isExcused, modeOf, mustBeFine, type Registry, readers, readTold, type Told, Trouble, Wrong } from './judge.ts';

/** Objects that all visitors share. */
export interface Scene {
  readonly world: World;
  readonly tally: Tally;
  readonly registry: Registry;
  /** The last CSRF token of each visitor. Tokens of other visitors must be refused. */
  readonly tokens: Map<number, string>;
  readonly now: () => number;
}

/** Cookies of a session, in pieces or not. */
const SESSION_COOKIE = '__Secure-authjs.session-token';

/** A visitor with a browser and the expected session. */
export class Visitor {
  readonly number: number;
  readonly mode: Mode;
  readonly random: Random;
  readonly scene: Scene;
  readonly browser: Browser;
  readonly identities: ReturnType<typeof identitiesOf>;
  /** The signed-in user, or `undefined`. */
  identity: Identity | undefined;
  /** A request was cut that may have signed in or out: the next answer tells. */
  isUnsure = false;
  /** Possible names in the session. Empty if unknown. */
  names: readonly string[] = [];
  /** How often everything was issued anew. */
  renewals = 0;

  constructor(number: number, scene: Scene, random: Random) {
    this.number = number;
    this.scene = scene;
    this.random = random;
    this.mode = modeOf(number);
    this.identities = identitiesOf(number);
    const handler = (request: Request): Promise<Response> => scene.world.switch.pass(request);
    this.browser = new Browser(handler, { origin: ORIGIN, routes: { [scene.world.issuer]: visitProvider } });
  }

  get who(): string {
    return `visitor ${this.number} (${this.mode}, ${this.identity?.email ?? 'signed out'})`;
  }

  get auth(): string {
    return `/${this.mode}/auth`;
  }

  /** Parts that reading the session needs. */
  get readers(): readonly Part[] {
    return readers[this.mode];
  }

  /** Those of the parts that were down since then. */
  met(parts: readonly Part[], since: number): Part[] {
    return this.scene.world.windows.met(parts, since);
  }

  /**
   * Does something, and judges how it failed, if it did.
   *
   * @param parts It needs, beside an application.
   * @returns Whether it came to its end.
   */
  async attempt(what: string, parts: readonly Part[], work: () => Promise<unknown>): Promise<boolean> {
    const { tally, now } = this.scene;
    const started = now();
    try {
      await work();
      tally.count(`acts/${what}`);
      return true;
    } catch (error) {
      const met = this.met(error instanceof Cut ? [...parts, 'application'] : parts, started);
      if (error instanceof Cut ? met.length > 0 : error instanceof Trouble && isExcused(error, met)) {
        tally.count('errors inside windows');
        for (const part of met) tally.count(`excused/${part}`);
      } else if (error instanceof Wrong) {
        tally.fail('broken promises', this.who, `${what}: ${error.message}`);
      } else {
        tally.fail('errors outside windows', this.who, `${what}: ${String(error)} (down: ${met.join() || 'nothing'})`);
      }
      return false;
    } finally {
      // It keeps every answer, and would grow for ever.
      this.browser.history.length = 0;
    }
  }

  /** A token for a form. */
  async csrfToken(browser: Browser = this.browser): Promise<string> {
    const page = await this.get('csrf', browser);
    const { csrfToken } = page.json<{ csrfToken: string }>();
    if (browser === this.browser) this.scene.tokens.set(this.number, csrfToken);
    return csrfToken;
  }

  /** Opens one of the mode's addresses. */
  async get(path: string, browser: Browser = this.browser): Promise<Page> {
    this.scene.tally.count(`requests/GET ${path.split('?')[0]}`);
    const page = await browser.get(path === 'me' ? `/${this.mode}/me` : `${this.auth}/${path}`);
    if (page.status >= 400) throw new Trouble(path, String(page.status));
    return page;
  }

  /** Posts a form with a token of its own. */
  async post(
    path: string,
    fields: Record<string, unknown>,
    { json = false, browser = this.browser } = {},
  ): Promise<Page> {
    const csrfToken = fields['csrfToken'] ?? (await this.csrfToken(browser));
    this.scene.tally.count(`requests/POST ${path}`);
    return browser.post(`${this.auth}/${path}`, { csrfToken, ...fields }, { json });
  }

  /** Returns the list of the user's sessions. */
  async sessions(): Promise<{ id: string; current: boolean }[]> {
    this.scene.tally.count('requests/GET sessions');
    const page = await this.browser.get(`${this.auth}/sessions`, { headers: { accept: 'application/json' } });
    mustBeFine(page, 'sessions');
    return page.json<{ sessions: { id: string; current: boolean }[] }>().sessions;
  }

  /**
   * Reads the session, and compares it with what is known.
   *
   * @param path `session` of Latchkey, or `me` of the application.
   * @returns Whether there is a session.
   */
  async look(path: 'session' | 'me'): Promise<boolean> {
    const started = this.scene.now();
    const told = readTold(await this.get(path), path);
    this.judge(told, path, started);
    return told !== null;
  }

  /** Compares what a session says with what is known. */
  judge(told: Told | null, what: string, started: number): void {
    if (told === null) this.#judgeSignedOut(what, started);
    else if (told.email === this.identity?.email) this.#judgeOwn(told, what);
    else this.#judgeForeign(told, what);
  }

  #judgeOwn(told: Told, what: string): void {
    const { tally, registry } = this.scene;
    registry.check(told);
    if (this.names.length > 0 && !this.names.includes(String(told.name)))
      throw new Wrong(`${what}: the name is ${told.name}, expected ${this.names.join(' or ')}`);
    if (this.names.length > 1) this.names = [String(told.name)];
    this.isUnsure = false;
    tally.count('sessions told');
  }

  #judgeForeign(told: Told, what: string): void {
    const isOwn = Object.values(this.identities).some(({ email }) => email === told.email);
    if (isOwn && this.identity === undefined) throw new Wrong(`${what}: signed out, and still ${told.email}`);
    this.scene.tally.fail('foreign sessions', this.who, `${what} told the session of ${told.email}`);
  }

  /** While a store is down, a session cannot be read. It is available again afterward. */
  #judgeSignedOut(what: string, started: number): void {
    if (this.identity === undefined) return;
    const isBlind = this.met(this.readers, started).length > 0;
    const hasCookie = this.browser.cookies.all().some(({ name }) => name.startsWith(SESSION_COOKIE));
    if (isBlind && (hasCookie || this.isUnsure)) {
      this.scene.tally.count('reads without a store');
      return;
    }
    if (!this.isUnsure) {
      const why = isBlind ? 'a store was down, and the cookie was taken' : 'nothing was down that it needs';
      this.scene.tally.fail('lost users', this.who, `${what} said that the visitor is signed out: ${why}`);
    }
    this.forget();
  }

  /** The visitor is signed out now. */
  forget(): void {
    this.identity = undefined;
    this.isUnsure = false;
    this.names = [];
  }
}

/** The provider's pages are opened directly. */
async function visitProvider(request: Request): Promise<Response> {
  try {
    return await fetch(request, { redirect: 'manual' });
  } catch (error) {
    throw new Trouble(`provider: ${String((error as Error).cause ?? error)}`, 'provider does not answer');
  }
}
