import { application, Clock, memoryAdapter } from '@latchkey/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import type { CallOptions } from '../../src/context.ts';
import Credentials from '../../src/providers/credentials.ts';
import { CHUNK_SIZE } from '../../src/wire/cookie-chunks.ts';

const FROM = new Date('2027-01-10T00:00:00Z');
const UNTIL = new Date('2027-02-10T00:00:00Z');
/** A `from` that has been moved into the future. */
const LATER = new Date('2027-02-01T00:00:00Z');

type Cookies = NonNullable<Parameters<typeof Auth>[1]['cookies']>;

const switching = (from: Date): Cookies => ({ prefix: '__Host-', migrate: { from, until: UNTIL } });

const kinds = [
  ['jwt', 'jwt', ''],
  ['jwt in chunks', 'jwt', 'x'.repeat(2 * CHUNK_SIZE)],
  ['database', 'database', ''],
] as const;

/** An act of the visitor or of the operator, after some seconds. */
const step = fc.record({
  seconds: fc.integer({ min: 0, max: 2 }),
  act: fc.oneof(
    fc.constantFrom('read', 'read if due', 'read twice', 'start', 'start', 'finish', 'finish', 'sign out'),
    fc.record({ process: fc.nat(1), from: fc.constantFrom(FROM, LATER) }),
  ),
});

/** An application of two processes, some seconds before they switch. Each request goes to the next of `routes`. */
function twoProcesses(strategy: 'jwt' | 'database', filling: string, skew: number, routes: readonly number[]) {
  const processes = [
    { cookies: switching(FROM), skew: 0 },
    { cookies: switching(FROM), skew },
  ];
  const requests = { count: 0, call: {} as CallOptions };
  const app = application({
    origin: 'https://app.example.com',
    adapter: memoryAdapter(),
    clock: new Clock(new Date(FROM.getTime() - 8000)),
    handler: (request, config, call) => {
      const process = processes[routes[requests.count++ % routes.length] ?? 0] ?? expect.unreachable();
      const now = (): Date => new Date((call.now?.() ?? FROM).getTime() + process.skew * 1000);
      return Auth(request, { ...config, cookies: process.cookies }, { ...call, ...requests.call, now });
    },
    config: ({ provider }) => ({
      providers: [
        provider.provider({ checks: ['pkce', 'state', 'nonce'] }),
        ...(strategy === 'jwt' ? [Credentials({ authorize: () => null })] : []),
      ],
      session: { strategy },
      callbacks: { jwt: ({ token, trigger }) => (trigger ? { ...token, filling } : token) },
    }),
  });
  return { app, processes, requests };
}

describe.each(kinds)('a change of the prefix in two processes (%s)', (_, strategy, filling) => {
  it('ends no session and no pending sign-in, forward and back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 24 }),
        fc.integer({ min: -5, max: 5 }),
        fc.array(fc.nat(1), { minLength: 16, maxLength: 16 }),
        async (steps, skew, routes) => {
          const { app, processes, requests } = twoProcesses(strategy, filling, skew, routes);
          let isSignedIn = false;
          let pending: URL[] = [];
          const check = async (): Promise<void> => expect((await app.session()) !== null).toBe(isSignedIn);
          for (const { act, seconds } of steps) {
            app.clock.advance(seconds);
            if (typeof act === 'object') Object.assign(processes[act.process] ?? {}, { cookies: switching(act.from) });
            else if (act === 'read twice') await Promise.all([check(), check()]);
            else if (act === 'read if due') {
              requests.call = { renew: 'when-due', cookies: 'session' };
              await check();
              requests.call = {};
            } else if (act === 'start' && pending.length < 4) {
              const { redirect } = await app.startSignIn();
              pending.push(redirect ?? expect.unreachable());
            } else if (act === 'finish' && pending.length > 0) {
              const [first, ...others] = pending;
              pending = others;
              const page = await app.open(await app.provider.authorize(first ?? expect.unreachable()));
              expect(page.redirect?.pathname).toBe('/');
              isSignedIn = true;
            } else if (act === 'sign out') {
              await app.signOut();
              isSignedIn = false;
              // A sign-in that a session has started does not continue without it.
              pending = [];
            }
            await check();
          }
          expect(app.browser.rejected).toEqual([]);
          expect(app.log.errors).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
