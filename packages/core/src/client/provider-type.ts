import type { PublicProvider } from '../types.ts';
import { askFor } from './ask.ts';
import { leaveFor } from './leave.ts';

/** What a sign-in wants that cannot begin. */
export interface Wish {
  readonly redirect: boolean;
  readonly redirectTo: string;
}

/**
 * How a provider signs in. Without one, or with one that is not configured, the page is left for the sign-in page; where that cannot be
 * told, for the error page.
 *
 * @param address Of our actions.
 * @returns `undefined` when the page is left.
 * @throws {ClientFetchError} instead of going to the error page, with `redirect: false`.
 */
export async function providerType(
  address: string,
  provider: string | undefined,
  { redirect, redirectTo }: Wish,
): Promise<string | undefined> {
  let providers: Record<string, PublicProvider> = {};
  try {
    if (provider) providers = (await askFor(`${address}/providers`)) as typeof providers;
  } catch (error) {
    if (!redirect) throw error;
    console.error(error);
    leaveFor(`${address}/error`);
    return undefined;
  }
  if (provider && Object.hasOwn(providers, provider)) return providers[provider]?.type;
  leaveFor(`${address}/signin?${new URLSearchParams({ callbackUrl: redirectTo })}`);
  return undefined;
}
