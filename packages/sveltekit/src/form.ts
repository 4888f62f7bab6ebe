/** What a form says that starts a sign-in. */
export interface SignInForm {
  readonly provider: string | undefined;
  /** Parameters for the provider's authorization address. */
  readonly authorizationParams: [name: string, value: string][];
  /** Everything else. */
  readonly options: Record<string, string>;
}

const PARAM = 'authorizationParams-';

/** Reads the fields `providerId` and `authorizationParams-<name>`; the others are the sign-in's own. */
export function readSignInForm(form: FormData): SignInForm {
  const entries = [...form.entries()].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const params = entries.filter(([name]) => name.startsWith(PARAM));
  const provider = form.get('providerId');
  return {
    provider: typeof provider === 'string' && provider !== '' ? provider : undefined,
    authorizationParams: params.map(([name, value]) => [name.slice(PARAM.length), value]),
    options: Object.fromEntries(entries.filter((entry) => entry[0] !== 'providerId' && !params.includes(entry))),
  };
}

/**
 * Where to go afterwards: what the form says, else the page that it came from, else the application's start page.
 *
 * @param target As Kit 3's `resolve()` gives it while it answers a request, it may be relative to that request's address.
 */
export function targetOf(target: unknown, { headers, url }: Request, base: string): string | undefined {
  if (typeof target === 'string' && target.startsWith('.')) return new URL(target, url).href;
  if (typeof target === 'string' && target !== '') return target;
  return headers.has('referer') ? undefined : `${base}/`;
}
