import type { EnvConfigured } from '../config/env.ts';
import { lazily } from '../config/lazy.ts';
import type { Fields } from '../context.ts';
import type { AuthAction } from '../types.ts';
import { ask, type Desk, deskOf, destinationOf, type Host } from './host.ts';

const check = lazily(async () => (await import('../config/check-providers.ts')).providerProblems);
const actions = lazily(async () => (await import('./action-of.ts')).actionOf);

/** What a server-side sign-in takes: the fields of a form, or an object. */
export type SignInOptions =
  | FormData
  | ({
      /** Where the visitor goes afterwards: a path, or an address of ours. Default: the page that asks. */
      redirectTo?: string | undefined;
      /** `false`: tell the address instead of going there. Default: `true`. */
      redirect?: boolean | undefined;
    } & Record<string, unknown>);

/** Parameters for the provider's authorization address. */
export type AuthorizationParams = string | [string, string][] | Record<string, string> | URLSearchParams;

/**
 * Starts a sign-in, or carries it out where credentials go along. Without a provider, or with one that is not configured, the way is to
 * the sign-in page.
 *
 * @returns Where the visitor has to go, with `redirect: false`; otherwise the host goes there.
 * @throws {AuthError} when the sign-in fails: `CredentialsSignin`, `AccessDenied`, …
 * @throws {CookiesNotWritable} before anything is done, where no cookie can be set.
 */
export async function signIn(
  configured: EnvConfigured,
  host: Host,
  provider?: string,
  options: SignInOptions = {},
  authorizationParams?: AuthorizationParams,
): Promise<string> {
  const desk = deskOf(configured, host);
  const { fields, redirects, callbackUrl } = readOptions(options, host);
  const go = (url: string): string => (redirects ? host.redirect(url) : url);
  const action = provider === undefined ? undefined : await actionFor(desk, provider);
  if (!action) return go(`${desk.base}/signin?${new URLSearchParams({ callbackUrl })}`);
  const query = new URLSearchParams(authorizationParams ?? {}).toString();
  const reply = await ask(desk, host, { action, provider, query, fields: { ...fields, callbackUrl } });
  return go(destinationOf(desk, reply));
}

/** The action that a sign-in with this provider asks; `undefined` when there is no such provider. */
async function actionFor({ settings, base }: Desk, provider: string): Promise<AuthAction | undefined> {
  // Providers that are wrong cannot be read. The action tells what is wrong with them.
  if ((await check())(settings).length > 0) return 'signin';
  return (await actions())(settings, provider, base);
}

/** What the options of `signIn` and `signOut` say. */
export interface Options {
  readonly fields: Fields;
  readonly redirects: boolean;
  readonly callbackUrl: string;
}

export function readOptions(options: SignInOptions, { headers }: Pick<Host, 'headers'>): Options {
  const { redirect, redirectTo, ...fields } = fieldsOf(options);
  const callbackUrl = redirectTo || headers.get('referer') || '/';
  return { fields, redirects: redirect !== 'false', callbackUrl };
}

/** Every value as a form would send it. What is not there, files, and what frameworks add to their forms are left out. */
function fieldsOf(options: SignInOptions): Record<string, string> {
  const entries = options instanceof FormData ? [...options.entries()] : Object.entries(options ?? {});
  const texts = entries.filter(
    ([name, value]) => value != null && !name.startsWith('$ACTION_') && !(value instanceof Blob),
  );
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}
