import { Browser, type CreationOptionsJSON, type RequestOptionsJSON, SoftwareAuthenticator } from '@latchkey/testing';
import { processCounters } from '../../src/rate-limit/memory.ts';
import { type Application, PARTNER } from './application.ts';
import { ADA, CAROL, NOW, PASSWORD } from './marks.ts';
import { doors, type Header, type Sent } from './sent.ts';
import type { Rows } from './shelf.ts';

/** A request that a browser has really sent, and what the store held just before. */
export interface Seed {
  readonly sent: Sent;
  readonly rows: Rows | undefined;
  /** Address of the user that it signs in, or whose session it reads. `undefined` if there is no user. */
  readonly who: string | undefined;
  /** Whose session it brings, if it brings one. */
  readonly visitor: string;
}

/** Goes every way through an application, and keeps all requests. */
export async function record(app: Application): Promise<Seed[]> {
  const ways: Way[] = app.variant.broken
    ? [look]
    : [
        look,
        throughFake,
        throughPlain,
        throughForm,
        withPassword,
        ...(app.shelf ? [byMail, carefully, byPasskey] : []),
      ];
  if (app.config.redirectProxyUrl) ways.push(forPartner);
  const rows = app.shelf?.copy();
  const seeds: Seed[] = [];
  for (const way of ways) {
    if (rows) app.shelf?.putBack(rows);
    processCounters.clear();
    const taking = taped(app);
    await way(taking);
    const visitor = taking.seeds.find(({ who }) => who !== undefined)?.who ?? ADA;
    const kept = taking.seeds.filter(({ sent }, index) => index === 0 || !sent.target.endsWith('/csrf'));
    seeds.push(...kept.map((seed) => ({ ...seed, visitor })));
  }
  return seeds;
}

interface Tape {
  readonly app: Application;
  readonly browser: Browser;
  readonly seeds: Omit<Seed, 'visitor'>[];
  /** The last request was Ada's way in. */
  came(who?: string): void;
  /** Asks for a token and posts it with the fields. */
  post(path: string, fields?: Record<string, string>): ReturnType<Browser['post']>;
  get(path: string): ReturnType<Browser['get']>;
}

type Way = (tape: Tape) => Promise<void>;

function taped(app: Application): Tape {
  const seeds: Tape['seeds'] = [];
  const handler = async (request: Request): Promise<Response> => {
    const sent = await sentOf(request);
    seeds.push({ sent, rows: app.shelf?.copy(), who: undefined });
    return (doors[0] as (typeof doors)[0])(sent, app);
  };
  const browser = new Browser(handler, { origin: app.origin, now: () => NOW });
  const get: Tape['get'] = (path) => browser.get(`${app.basePath}/${path}`);
  return {
    app,
    browser,
    seeds,
    came(who = ADA) {
      const last = seeds.pop();
      if (last) seeds.push({ ...last, who });
    },
    get,
    async post(path, fields = {}) {
      const page = await get('csrf');
      // Where the host guards forms there is no token.
      const token = app.call.forms ? {} : page.json<{ csrfToken: string }>();
      return browser.post(`${app.basePath}/${path}`, { ...token, ...fields });
    },
  };
}

async function sentOf(request: Request): Promise<Sent> {
  const { origin, pathname, search } = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer()).toString('latin1');
  const headers: Header[] = [...request.headers];
  return { method: request.method, origin, target: pathname + search, headers, body, end: 'whole' };
}

const look: Way = async ({ get, post }) => {
  for (const path of ['signin?callbackUrl=/in', 'signout', 'error?error=AccessDenied', 'verify-request', 'providers'])
    await get(path);
  await get('session');
  await post('signout');
};

/** Looks at a session, changes it, and leaves. */
async function stay(tape: Tape, who = ADA): Promise<void> {
  await tape.get('session');
  tape.came(who);
  await tape.get('signin');
  await tape.post('session', { data: 'x' });
  tape.came(who);
  await tape.post('signout');
}

const throughFake: Way = async (tape) => {
  const { location = '' } = await tape.post('signin/fake', { callbackUrl: '/in' });
  await tape.browser.get(callback(tape, 'fake', location), { site: 'cross-site' });
  tape.came();
  await stay(tape);
};

const throughPlain: Way = async (tape) => {
  const { location = '' } = await tape.post('signin/plain', { callbackUrl: '/in' });
  await tape.browser.get(callback(tape, 'plain', location), { site: 'cross-site' });
  tape.came();
};

const throughForm: Way = async (tape) => {
  const { app, browser } = tape;
  const { location = '' } = await tape.post('signin/form', { callbackUrl: '/in' });
  const fields = app.providers.form.authorize(location);
  const posted = await browser.post(`${app.basePath}/callback/form`, fields, { site: 'cross-site' });
  await browser.follow(posted);
  tape.came();
};

function callback({ app }: Tape, id: 'fake' | 'plain', location: string): string {
  return `${app.basePath}/callback/${id}?${app.providers[id].authorize(location)}`;
}

/** An answer that belongs to another deployment: the proxy hands it on. */
const forPartner: Way = async ({ app, browser }) => {
  const partner = taped({ ...app, origin: PARTNER });
  const { location = '' } = await partner.post('signin/fake');
  await browser.get(`/auth/callback/fake?${app.providers.fake.authorize(location)}`, { site: 'cross-site' });
};

const withPassword: Way = async (tape) => {
  await tape.post('callback/credentials', { name: 'carol', password: PASSWORD });
  tape.came(CAROL);
  await stay(tape, CAROL);
};

const byMail: Way = async (tape) => {
  await tape.post('signin/mail', { email: ADA });
  await tape.browser.get(tape.app.mails.at(-1) ?? '', { site: 'cross-site' });
  tape.came();
};

const carefully: Way = async (tape) => {
  await tape.post('signin/careful', { email: ADA });
  const link = tape.app.mails.at(-1) ?? '';
  const page = await tape.browser.get(link, { site: 'cross-site' });
  await tape.browser.submit(tape.browser.form(page));
  tape.came();
};

const byPasskey: Way = async (tape) => {
  const { browser, get, post } = tape;
  const phone = new SoftwareAuthenticator();
  const ask = async (query: string) =>
    (await get(`webauthn-options/passkey?${query}`)).json<{ options: CreationOptionsJSON & RequestOptionsJSON }>();
  const { options } = await ask(`action=register&email=${ADA}`);
  const made = JSON.stringify(phone.create(options, browser.origin));
  await post('callback/passkey', { action: 'register', data: made });
  tape.came();
  await post('signout');
  const { options: known } = await ask('action=authenticate');
  const used = JSON.stringify(phone.get(known, browser.origin));
  await post('callback/passkey', { action: 'authenticate', data: used });
  tape.came();
};
