import { perBase } from '../config/per-base.ts';
import { providersOf } from '../config/providers.ts';
import type { Context, Reply } from '../context.ts';
import type { PublicProvider } from '../types.ts';

/** `GET providers`: the ways to sign in, by id. */
export async function providers({ settings, origin, basePath }: Context): Promise<Reply> {
  return { headers: { 'content-type': 'application/json' }, json: listOf(settings, origin + basePath), bare: true };
}

const listOf = perBase((settings, base) => {
  const list = providersOf(settings, base).map(({ id, name, type, signinUrl, callbackUrl }) => {
    const entry: PublicProvider = { id, name, type, signinUrl, callbackUrl };
    return [id, entry] as const;
  });
  return JSON.stringify(Object.fromEntries(list));
});
