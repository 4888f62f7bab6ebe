import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuthConfig } from '../../src/types.ts';
import { applications, PROVIDER_ORIGINS } from './app.ts';
import { type Asked, asked } from './asked.ts';
import { sends } from './send.ts';
import { pollution } from './words.ts';

const RUNS = 4000;
const configs = applications();

/** What must never be true of an answer to a stranger. */
async function faultsOf(request: Asked, response: Response): Promise<string[]> {
  const { status, headers } = response;
  const body = await response.text();
  const location = headers.get('location');
  const told =
    headers.get('content-type') === 'application/json' ? (JSON.parse(body) as { url?: string } | null)?.url : undefined;
  const targets = [location, told].filter((target) => typeof target === 'string');
  const url = new URL(request.origin + request.path);
  const asksForIt = url.searchParams.getAll('error').includes('Configuration');
  return [
    status >= 500 && !(asksForIt && url.pathname.endsWith('/error')) && `status ${status}`,
    !asksForIt && targets.some((target) => /error=Configuration/.test(target)) && 'blames the owner',
    targets.some((target) => !isOurs(target, url)) && `leads to ${targets}`,
    headers.getSetCookie().some((cookie) => /session-token[^=]*=[^;]/.test(cookie)) && 'starts a session',
    headers.getSetCookie().some((cookie) => /callback-url=/.test(cookie) && !isOurs(callbackUrlOf(cookie), url)) &&
      'remembers a foreign address',
    url.pathname.endsWith('/session') && status === 200 && body !== 'null' && 'tells a session',
    headers.get('access-control-allow-origin') !== null && 'allows other origins',
    pollution().length > 0 && `adds ${pollution().map(String)} to every object`,
  ].filter((fault) => typeof fault === 'string');
}

function isOurs(target: string, url: URL): boolean {
  const { origin, protocol } = new URL(target, url);
  return /^https?:$/.test(protocol) && (origin === url.origin || PROVIDER_ORIGINS.includes(origin));
}

function callbackUrlOf(cookie: string): string {
  return decodeURIComponent(/callback-url=([^;]*)/.exec(cookie)?.[1] ?? '');
}

describe.each(Object.entries(sends))('whatever is sent through %s', (_, send) => {
  it('is answered: no exception, no server error, no session, no way to a foreign place', async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.nat(configs.length - 1), async (request, index) => {
        const response = await send(request, configs[index] as AuthConfig);
        expect(response).toBeInstanceOf(Response);
        const faults = await faultsOf(request, response);
        // Only then: an assertion costs more than the request.
        if (faults.length > 0) expect.fail(faults.join(', '));
      }),
      { numRuns: RUNS },
    );
  });
});
