import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { LegacyReader } from '@latchkey/core/types';
import { BetterAuth, ExpressSession, Lucia, NextAuth4, type OldSession } from '@latchkey/migrate';
import { EncryptJWT } from 'jose';
import { describe, expect, it } from 'vitest';

const until = new Date(Date.now() + 86_400_000);
const now = new Date();
const expires = new Date(now.getTime() + 3_600_000);
const secret = 'the secret of the old application';

const find = (id: string): OldSession | null => (id === 'known' ? { userId: 7, expires } : null);

const signed = (text: string): string => `${text}.${createHmac('sha256', secret).update(text).digest('base64')}`;

async function read(reader: LegacyReader, cookies: Record<string, string>): Promise<unknown> {
  return reader.read(new Map(Object.entries(cookies)), now);
}

describe('the options of all readers', () => {
  const base = { findSession: find, until };
  const found = { userId: '7', expires, issuedAt: undefined, id: 'known' };

  it('read the cookie with the prefix first, and also without it', async () => {
    const reader = Lucia(base);
    expect(reader.cookies).toEqual(['__Secure-auth_session', 'auth_session']);
    expect(await read(reader, { auth_session: 'known' })).toEqual(found);
    expect(await read(reader, { '__Secure-auth_session': 'known', auth_session: 'planted' })).toEqual(found);
    expect(await read(reader, { '__Secure-auth_session': 'other', auth_session: 'known' })).toBeNull();
    expect(await read(reader, {})).toBeNull();
  });

  it('change the name, the attributes and `keep`', async () => {
    const reader = Lucia({ ...base, cookie: 'sid', domain: 'example.com', path: '/app', keep: true });
    expect(reader).toMatchObject({ cookies: ['__Secure-sid', 'sid'], domain: 'example.com', path: '/app', keep: true });
    expect(await read(reader, { sid: 'known' })).toEqual(found);
  });

  it('map the ids of users, or refuse them', async () => {
    const reader = Lucia({ ...base, user: (old) => (old === '7' ? 'user-7' : null) });
    expect(await read(reader, { auth_session: 'known' })).toEqual({ ...found, userId: 'user-7' });
    expect(await read(Lucia({ ...base, user: () => null }), { auth_session: 'known' })).toBeNull();
  });

  it('give no user if the row of a session has no id, for example because its column has another name', async () => {
    const row = { user_id: 7, expires } as unknown as OldSession;
    expect(await read(Lucia({ findSession: () => row, until }), { auth_session: 'known' })).toMatchObject({
      userId: '',
    });
    const adapter = { getSessionAndUser: () => ({ session: { expires }, user: {} as { id: string } }) };
    expect(await read(NextAuth4({ adapter, until }), { 'next-auth.session-token': 'x' })).toMatchObject({ userId: '' });
  });

  it('of NextAuth4 are for both kinds of sessions: an application may have changed the kind', async () => {
    const info = 'NextAuth.js Generated Encryption Key';
    const key = new Uint8Array(hkdfSync('sha256', secret, '', info, 32));
    const token = new EncryptJWT({ sub: '8' }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
    const text = await token.setExpirationTime(expires).setIssuedAt().encrypt(key);
    const adapter = {
      getSessionAndUser: (id: string) => (id === 'row' ? { session: { expires }, user: { id: '7' } } : null),
    };
    const reader = NextAuth4({ secret, adapter, until });
    expect(await read(reader, { 'next-auth.session-token': text })).toMatchObject({ userId: '8' });
    expect(await read(reader, { 'next-auth.session-token': 'row' })).toMatchObject({ userId: '7' });
    expect(await read(NextAuth4({ adapter, until }), { 'next-auth.session-token': text })).toBeNull();
  });

  it('refuse sessions with `accept`', async () => {
    const accept = ({ userId }: { userId: string }): boolean => userId !== '7';
    expect(await read(Lucia({ ...base, accept }), { auth_session: 'known' })).toBeNull();
  });
});

describe('a reader without what it needs', () => {
  it.each<[string, LegacyReader, string[]]>([
    [
      'NextAuth4',
      NextAuth4({ secret: undefined, until }),
      ['set `secret` for sessions in a cookie, or `adapter` for sessions in a database'],
    ],
    [
      'BetterAuth',
      BetterAuth({ secret: '', findSession: undefined as never, until }),
      [
        '`secret` is not set. Set it to the secret of Better Auth',
        '`findSession` must be a function. Look the token up in the table',
      ],
    ],
    [
      'ExpressSession',
      ExpressSession({ secret: [], store: undefined as never, userId: undefined as never, until }),
      [
        '`secret` is not set. Set it to the `secret` of express-session',
        '`store` must be the store of express-session. Pass the object that `session()` received',
        '`userId` must be a function. For Passport, return `passport.user`',
      ],
    ],
    [
      'Lucia',
      Lucia({ findSession: undefined as never, until }),
      ['`findSession` must be a function. Look the id up in the table of sessions'],
    ],
  ])('%s lists its problems', (_, reader, problems) => {
    expect(reader.problems).toEqual(problems);
  });
});

it('Lucia looks hashed ids up by the SHA-256 of the cookie', async () => {
  const looked: string[] = [];
  const findSession = (id: string): null => {
    looked.push(id);
    return null;
  };
  const reader = Lucia({ findSession, hashed: true, until });
  await read(reader, { auth_session: 'token' });
  await read(reader, { auth_session: 'x'.repeat(513) });
  expect(looked).toEqual([createHash('sha256').update('token').digest('hex')]);
});

it('Better Auth accepts each secret of a list', async () => {
  const reader = BetterAuth({ secret: ['newer', secret], findSession: find, until });
  expect(await read(reader, { 'better-auth.session_token': signed('known') })).toMatchObject({ userId: '7' });
});

describe('express-session', () => {
  const data: Record<string, unknown> = {
    known: { cookie: { expires: expires.toISOString() }, passport: { user: 7 } },
    browser: { cookie: { expires: null }, passport: { user: 'ada' } },
    visitor: { cookie: {}, cart: [] },
  };
  const store = {
    get: (id: string, callback: (error: unknown, session?: unknown) => void) => callback(null, data[id]),
    destroy: (_: string, callback?: (error?: unknown) => void) => callback?.(new Error('read-only')),
  };
  const reader = ExpressSession({ secret, store, userId: ({ passport }) => passport?.user, until });
  const cookie = (id: string): Record<string, string> => ({ 'connect.sid': `s:${signed(id)}` });

  it('gives a session that ends with the browser one day', async () => {
    expect(await read(reader, cookie('known'))).toEqual({ userId: '7', expires, id: 'known' });
    const oneDay = new Date(now.getTime() + 86_400_000);
    expect(await read(reader, cookie('browser'))).toEqual({ userId: 'ada', expires: oneDay, id: 'browser' });
  });

  it('has no session for visitors who are not signed in, and for cookies without signature', async () => {
    for (const cookies of [cookie('visitor'), cookie('unknown'), { 'connect.sid': signed('known') }]) {
      expect(await read(reader, cookies)).toBeNull();
    }
  });

  it('rejects if the store cannot delete a session', async () => {
    await expect(reader.end?.({ userId: '7', expires, id: 'known' })).rejects.toThrow('read-only');
  });
});
