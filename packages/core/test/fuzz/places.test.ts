import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { originFrom } from '../../src/binding/place.ts';
import { createActionURL, namedOrigin } from '../../src/entry/route.ts';
import { getToken } from '../../src/jwt.ts';
import { headerText } from '../properties/words.ts';
import { SECRET } from './marks.ts';
import { proofsIn } from './proofs.ts';
import { changedRequest, cookieChange } from './request-changes.ts';
import { check, PATIENCE } from './run.ts';
import { type Scenery, sceneries } from './scenery.ts';
import { headerOf } from './sent.ts';
import { hostileText } from './text-changes.ts';

let all: readonly Scenery[] = [];
beforeAll(async () => {
  all = await sceneries();
});

const hosts = fc.oneof(
  headerText,
  hostileText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim()),
  fc.constantFrom('app.example', 'app.example:8443', '[::1]:3000', 'app.example, evil.example', 'app.example@evil.example', 'APP.example:080'),
); // biome-ignore format: a list
const protocols = fc.oneof(headerText, fc.constantFrom('http', 'https', 'https,http', 'javascript', 'HTTPS', 'ws'));

const headers = fc.record(
  { host: hosts, 'x-forwarded-host': hosts, 'x-forwarded-proto': protocols },
  { requiredKeys: [] },
);

/** Http, a host, and nothing else. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^\s/?#@\\]+$/.test(text) && new URL(text).origin === text;
}

describe('whatever the headers of a proxy say', () => {
  it('our address is one, or none', { timeout: PATIENCE }, async () => {
    await check('our address is one, or none', 1000, fc.tuple(headers, protocols, hosts), ([list, protocol, host]) => {
      const given = new Headers(list);
      const named = namedOrigin(given, protocol);
      const hosted = originFrom(protocol, host);
      const { origin, pathname, username, search } = createActionURL('signin', protocol, given, {}, '/auth');
      return [
        named !== undefined && !isOrigin(named) && `names ${named}`,
        hosted !== '' && !isOrigin(hosted) && `is at ${hosted}`,
        (!isOrigin(origin) || pathname !== '/auth/signin' || username + search !== '') &&
          `acts at ${origin}${pathname}`,
      ];
    });
  });
});

describe('getToken', () => {
  it('never throws, and takes no token that is not one', { timeout: PATIENCE }, async () => {
    const drawn = fc.record({
      scenery: fc.nat(1000),
      seed: fc.nat(1000),
      change: cookieChange,
      bearer: fc.option(headerText),
    });
    await check('never throws, and takes no token that is not one', 1000, drawn, async (one) => {
      const { app, seeds, known } = all[one.scenery % all.length] as Scenery;
      const { sent: right } = seeds[one.seed % seeds.length] as Scenery['seeds'][number];
      const sent = changedRequest(
        right,
        one.change,
        seeds.map(({ sent }) => sent),
      );
      const cookie = headerOf(sent, 'cookie') ?? '';
      const req = { headers: { cookie, ...(one.bearer !== null && { authorization: `Bearer ${one.bearer}` }) } };
      const token = await getToken({ req, secret: SECRET, secureCookie: app.origin.startsWith('https:') });
      const isKnown = proofsIn(sent, app).some(({ kind, text }) => kind === 'session' && known.has(text));
      return [token !== null && !isKnown && `takes the token of ${token.email}`];
    });
  });
});
