import type { Context, Reply } from '../context.ts';
import type { PublicProvider } from '../types.ts';

/** `GET providers`: the ways to sign in, by id. */
export async function providers({ settings, origin, basePath }: Context): Promise<Reply> {
  const list = settings.providers(origin + basePath).map(({ id, name, type, signinUrl, callbackUrl }) => {
    const entry: PublicProvider = { id, name, type, signinUrl, callbackUrl };
    return [id, entry] as const;
  });
  return { headers: { 'content-type': 'application/json' }, body: Object.fromEntries(list), bare: true };
}
