import { encode, type JWT } from '@latchkey/core/jwt';
import NextAuth, { type NextAuthConfig, type NextAuthResult } from '@latchkey/next';
import Credentials from '@latchkey/next/providers/credentials';
import { type NextFetchEvent, NextRequest } from 'next/server.js';

export const secret = 'a secret of more than thirty-two characters';

/** What is logged, so that a test can tell that somebody was told. */
export interface Log {
  errors: string[];
}

/** Whoever types a name and the password `password` is signed in. */
export function configuration(overrides: Partial<NextAuthConfig> = {}, log: Log = { errors: [] }): NextAuthConfig {
  return {
    secret,
    trustHost: true,
    logger: { error: (error) => void log.errors.push(error.name), warn: () => undefined },
    providers: [
      Credentials({
        credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: ({ name, password }) => (password === 'password' ? { id: '1', name: String(name) } : null),
      }),
    ],
    ...overrides,
  };
}

/** With an environment that says nothing but `env`, so that the machine's own does not matter. */
export function site(overrides: Partial<NextAuthConfig> = {}, env: Record<string, string> = {}): NextAuthResult {
  return NextAuth(configuration(overrides), env);
}

/** The `Cookie` header of somebody who is signed in. */
export async function cookieOf(token: JWT = { name: 'Ada', sub: '1' }, secure = false): Promise<string> {
  const name = `${secure ? '__Secure-' : ''}authjs.session-token`;
  return `${name}=${await encode({ token, secret, salt: name })}`;
}

/** What Next tells a proxy of its settings. */
export interface NextSettings {
  basePath?: string;
  i18n?: { locales: string[]; defaultLocale: string };
  trailingSlash?: boolean;
}

interface Asking {
  headers?: Record<string, string>;
  method?: string;
  body?: string;
  settings?: NextSettings;
}

/** A request as Next hands it to a proxy. */
export function requestOf(path: string, { settings, headers, ...init }: Asking = {}): NextRequest {
  return new NextRequest(`http://localhost:3000${path}`, {
    ...init,
    headers: { host: 'localhost:3000', 'x-forwarded-proto': 'http', ...headers },
    ...(settings && { nextConfig: settings }),
  });
}

/** The second argument of a proxy. */
export const event = { waitUntil: () => undefined } as unknown as NextFetchEvent;

/** Names of the cookies that an answer sets. */
export function cookieNames(response: Response): string[] {
  return response.headers.getSetCookie().map((line) => line.slice(0, line.indexOf('=')));
}

/** Where a redirect leads, with its query apart. */
export function leadsTo(response: Response): { status: number; to: string; query: Record<string, string> } {
  const url = new URL(response.headers.get('location') ?? '', 'http://nowhere.test');
  return { status: response.status, to: url.origin + url.pathname, query: Object.fromEntries(url.searchParams) };
}
