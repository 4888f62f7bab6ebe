import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callbacksOf } from '../../src/config/hooks.ts';
import { isReturnUrl, resolveReturnTo } from '../../src/guards/return-to.ts';
import type { CallbacksOptions } from '../../src/types/config.ts';
import { toWireReply } from '../../src/wire/reply.ts';
import { text } from './words.ts';

const nothing = (): void => undefined;
const silent = { error: nothing, info: nothing, canceled: nothing, warn: nothing, notice: nothing, debug: nothing };
const origins = fc.constantFrom(
  'http://localhost:3000',
  'https://app.example',
  'https://app.example:8443',
  'http://[::1]',
);
const start = fc.constantFrom(
  '', '/', '//', '/\\', '\\/', 'http:', 'https:', 'https://', 'HTTP:/', ' /', '\t//', 'http://localhost:3000',
  'https://app.example', 'https://app.example@',
); // biome-ignore format: a list to be read across
const address = fc.tuple(start, text).map((parts) => parts.join(''));

function checkUrl(
  origin: string,
  redirect: CallbacksOptions['redirect'] | undefined,
  ...candidates: unknown[]
): Promise<string> {
  const callbacks = callbacksOf({ providers: [], ...(redirect && { callbacks: { redirect } }) });
  return resolveReturnTo({ origin, settings: { callbacks, logger: silent } }, ...candidates);
}

/** As a browser reads it: the target of a `Location` header of a callback. */
function browserGoesTo(target: string, origin: string): URL {
  return new URL(target, `${origin}/auth/callback/x`);
}

describe('a return URL', () => {
  it("is on the site's origin for any request", async () => {
    await fc.assert(
      fc.asyncProperty(origins, address, async (origin, candidate) => {
        const target = await checkUrl(origin, undefined, candidate);
        expect(browserGoesTo(target, origin).origin).toBe(origin);
        expect(target).toMatch(/^https?:\/\/[!-~]+$/);
        expect(browserGoesTo(target, origin).username).toBe('');
      }),
      { numRuns: 5000 },
    );
  });

  it('that is not a string leads to the origin', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (candidate) => {
        fc.pre(typeof candidate !== 'string' && candidate !== undefined);
        expect(await checkUrl('https://app.example', undefined, candidate)).toBe('https://app.example');
      }),
      { numRuns: 300 },
    );
  });

  it('is an http URL that fits into a header, for any result of the application', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(address, text, fc.anything()), async (returned) => {
        const target = await checkUrl('https://app.example', () => returned as string, '/x');
        expect(new URL(target).protocol).toMatch(/^https?:$/);
        expect(new URL(target).username + new URL(target).password).toBe('');
        // Throws where a line break or anything else could not stand there.
        new Headers(toWireReply({ redirect: target }).headers);
        expect(toWireReply({ redirect: target }).headers).toEqual({
          location: target,
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('stays the same when it is resolved again', async () => {
    await fc.assert(
      fc.asyncProperty(origins, address, async (origin, candidate) => {
        const once = await checkUrl(origin, undefined, candidate);
        fc.pre(isReturnUrl(once));
        expect(await checkUrl(origin, undefined, once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});
