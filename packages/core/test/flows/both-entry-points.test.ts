import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from './doors.ts';
import { fakeProvider, log, oidc, SECRET } from './scene.ts';

const ORIGIN = 'https://app.test';
const now = (): Date => new Date('2026-01-01T00:00:00Z');

interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const requests: Asked[] = [
  ...['providers', 'session', 'csrf', 'signin', 'signout', 'error', 'verify-request', 'nowhere'].map((path) => ({
    path,
  })),
  { path: 'signin?callbackUrl=/x&error=AccessDenied' },
  { path: 'error?error=Configuration&reference=0123abcd' },
  { path: 'callback/fake?code=x&state=y' },
  { path: 'callback/fake?error=access_denied', headers: { cookie: '__Secure-authjs.state=garbage' } },
  { path: 'session', headers: { cookie: '__Secure-authjs.session-token=garbage; __Secure-authjs.callback-url=%2Fx' } },
  { path: 'session', headers: { cookie: 'x'.repeat(70_000) } },
  { method: 'POST', path: 'signin/fake', headers: form, body: 'csrfToken=x' },
  { method: 'POST', path: 'signin/fake', headers: json, body: '{"csrfToken":' },
  { method: 'POST', path: 'signin/fake', headers: json, body: '' },
  { method: 'POST', path: 'signin/fake', headers: { ...form, 'x-auth-return-redirect': '1' }, body: 'x=1' },
  { method: 'POST', path: 'session', headers: json, body: '{"data":1}' },
  { method: 'POST', path: 'signout', headers: form, body: `x=${'x'.repeat(300_000)}` },
  { method: 'POST', path: 'callback/credentials', headers: form, body: 'name=x' },
  { method: 'PUT', path: 'session', body: 'x' },
  { method: 'DELETE', path: 'session' },
];

/** The parts of an answer that are the same every time. */
async function stable(answer: Response): Promise<object> {
  const masked = (text: string): string =>
    text.replace(/[\da-f]{64}(%7C[\da-f]{64})?/g, '<token>').replace(/reference=[\da-f]{8}/g, 'reference=<new>');
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${masked(value)}`);
  return { status: answer.status, headers, body: masked(await answer.text()) };
}

describe('both doors', () => {
  it.each(requests)('give the same answer: $method $path $headers', async ({ path, body, ...init }) => {
    const answers = await Promise.all(
      doors.map(async ({ ask }) => {
        const config: AuthConfig = {
          providers: [oidc(fakeProvider()), Credentials({ authorize: () => null })],
          secret: SECRET,
          trustHost: true,
          logger: log(),
        };
        const request = new Request(`${ORIGIN}/auth/${path}`, body === undefined ? init : { ...init, body });
        return stable(await ask(request, config, { now }));
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });
});
