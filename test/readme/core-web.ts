import { Auth, type AuthConfig } from '@latchkey/core';
import { isRoute, readSession, serializeCookie, withEnv } from '@latchkey/core/binding';
import GitHub from '@latchkey/core/providers/github';

const configuration: AuthConfig = { providers: [GitHub] };

export async function answer(request: Request): Promise<Response> {
  // AUTH_SECRET, AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_URL …, read once. On Workers: their own `env`.
  const { config, call } = withEnv(configuration, process.env);
  const { origin, pathname } = new URL(request.url);
  if (isRoute(pathname, config.basePath ?? '/auth', config)) return Auth(request, config, call);

  // A page of the application. If the session is due, `readSession` extends it, which sets a cookie.
  const headers = new Headers({ 'cache-control': 'private, no-store' });
  const session = await readSession(
    { config, call },
    {
      origin,
      cookie: request.headers.get('cookie') ?? undefined,
      setCookie: (cookie) => headers.append('set-cookie', serializeCookie(cookie)),
      renew: 'when-due',
    },
  );
  return new Response(session ? `Hello ${session.user?.name}` : 'Open /auth/signin to sign in.', { headers });
}
