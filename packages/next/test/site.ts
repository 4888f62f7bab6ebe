import { encode, type JWT } from '@latchkey/core/jwt';
import NextAuth, { type NextAuthConfig, type NextAuthResult } from '@latchkey/next';
import Credentials from '@latchkey/next/providers/credentials';
import { type NextFetchEvent, NextRequest } from 'next/server.js';

export const secret = 'a secret of more than thirty-two characters';

/** The names of logged errors. */
export interface Log {
  errors: string[];
}

/** Accepts any name with the password `password`. */
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

/** With `env` in the place of the machine's environment. */
export function site(overrides: Partial<NextAuthConfig> = {}, env: Record<string, string> = {}): NextAuthResult {
  return NextAuth(configuration(overrides), env);
}

/** The `Cookie` header of a signed-in visitor. */
export async function cookieOf(token: JWT = { name: 'Ada', sub: '1' }, secure = false): Promise<string> {
  const name = `${secure ? '__Secure-' : ''}authjs.session-token`;
  return `${name}=${await encode({ token, secret, salt: name })}`;
}

/** The settings that Next passes to a proxy. */
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
