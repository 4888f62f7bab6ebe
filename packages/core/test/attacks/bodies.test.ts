import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Auth, handle } from '../../src/auth.ts';
import { settingsFor } from '../../src/config/settings.ts';
import { readNodeRequest } from '../../src/entry/request.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { toWireReply } from '../../src/wire/reply.ts';
import { doors } from '../flows/doors.ts';
import { noting, scene } from '../flows/scene.ts';
import { csrfTokenOf } from './site.ts';

const asked: unknown[] = [];
const config: AuthConfig = {
  secret: 'a secret of more than thirty-two characters',
  trustHost: true,
  basePath: '/auth',
  logger: { error: (error) => void asked.push(error) },
  providers: [Credentials({ authorize: (credentials) => noting(asked, credentials, { id: '1' }) })],
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const url = 'https://app.test/auth/callback/credentials';

/** Counts the bytes that were read, so that a test sees whether the library waits for the end. */
interface Source {
  readonly chunks: () => AsyncGenerator<Uint8Array>;
  readonly taken: { bytes: number };
}

function source(make: () => Generator<string>): Source {
  const taken = { bytes: 0 };
  const encoder = new TextEncoder();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const text of make()) {
      const bytes = encoder.encode(text);
      taken.bytes += bytes.byteLength;
      yield bytes;
    }
  }
  return { chunks, taken };
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const ways = {
  'Auth(request)': async ({ chunks }: Source, type: string): Promise<Response> => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: streamOf(chunks()), duplex: 'half' };
    return Auth(new Request(url, init), config);
  },
  'handle(incoming)': async ({ chunks }: Source, type: string): Promise<Response> => {
    const request = Object.assign(Readable.from(chunks()), { method: 'POST', headers: { 'content-type': type } });
    const { status, headers, body } = toWireReply(await handle(readNodeRequest(request, url), settingsFor(config)));
    return new Response(body ?? null, { status, headers });
  },
};

function* repeated(text: string, times: number): Generator<string> {
  for (let count = 0; count < times; count++) yield text;
}

function* breaking(text: string): Generator<string> {
  yield text;
  throw new Error('ECONNRESET');
}

function members(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"x${index}":0`).join(',')}}`;
}

const bodies: [what: string, type: string, make: () => Generator<string>, status: number][] = [
  ['a form that breaks off', FORM, () => breaking('csrfToken=x&name=Ada'), 400],
  ['JSON that breaks off', JSON_TYPE, () => breaking('{"name":"Ada"}'), 400],
  ['24 MB of a form', FORM, () => repeated(`x=${'y'.repeat(65_534)}&`, 384), 413],
  ['24 MB of JSON', JSON_TYPE, () => repeated('"'.padEnd(65_536, 'y'), 384), 413],
  ['a form without end', FORM, () => repeated('x'.repeat(65_536), Number.POSITIVE_INFINITY), 413],
  ['65 000 fields', FORM, () => repeated('x=1&'.repeat(1000), 65), 413],
  ['20 000 members', JSON_TYPE, () => repeated(members(20_000), 1), 413],
  ['objects 100 deep', JSON_TYPE, () => repeated(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 1), 400],
  ['objects 30 000 deep', JSON_TYPE, () => repeated(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`, 1), 400],
  ['lists 100 000 deep', JSON_TYPE, () => repeated(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 1), 400],
  ['text that is no JSON', JSON_TYPE, () => repeated('\uFFFE\uD800', 3), 400],
]; // biome-ignore format: one body, one entry

describe.each(Object.entries(ways))('a body through %s', (_, post) => {
  it.each(bodies)('%s is refused before all of it is read', async (what, type, make, status) => {
    asked.length = 0;
    const body = source(make);
    const response = await post(body, type);
    expect([response.status, await response.text()], what).toEqual([status, '"Bad request."']);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(body.taken.bytes).toBeLessThan(8_000_000);
    expect(asked).toEqual([]);
  });
});

describe.each(doors)('a field called __proto__, however deep, through $name', (door) => {
  it('reaches no hook: what is assigned from the body keeps its prototype', async () => {
    const seen: object[] = [];
    const app = scene(door, {
      providers: [
        Credentials({
          authorize: (fields) => {
            seen.push(Object.assign({}, fields.inner));
            return { id: 'ada' };
          },
        }),
      ],
      callbacks: {
        jwt: ({ token, session, trigger }) => {
          if (trigger === 'update') seen.push(Object.assign({}, session));
          return token;
        },
      },
    });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    // The literal makes an own member of it, as a JSON parser does.
    const evil = JSON.parse('{"__proto__":{"admin":true},"list":[{"__proto__":{"admin":true}}]}') as object;
    await app.browser.post('/auth/callback/credentials', { csrfToken, inner: evil }, { json: true });
    const renewed = await csrfTokenOf(app.browser);
    await app.browser.post('/auth/session', { csrfToken: renewed, data: evil }, { json: true });
    expect(seen).toHaveLength(2);
    for (const one of seen) {
      expect(one).not.toHaveProperty('admin');
      expect(one).toEqual({ list: [{}] });
      expect(Object.keys((one as { list: object[] }).list[0] ?? {})).toEqual([]);
    }
  });
});
