import { Browser, FakeProvider, type Page } from '@latchkey/testing';
import { idpConfig, type Library, latchkey, peer } from '../peers/libraries.ts';

/** A site that either library may answer, in a way that the visitor cannot distinguish. */
export interface Site {
  readonly browser: Browser;
  readonly provider: FakeProvider;
  /** Which library answers from now on. */
  use(library: Library): void;
  /** Begins a sign-in; the page is the redirect to the provider. */
  begin(callbackUrl?: string): Promise<Page>;
  /** The visitor agrees at the provider and comes back. */
  comeBack(redirect: Page): Promise<Page>;
  /** The session as the library in use shows it. */
  session(): Promise<Record<string, unknown> | null>;
  csrfToken(): Promise<string>;
}

/** The settings of a test. */
export interface SiteOptions {
  origin?: string;
  /** Laid over the provider's configuration. */
  provider?: object;
  /** Laid over the whole configuration; a function receives the library and the provider. */
  config?: object | ((library: Library, provider: FakeProvider) => object);
}

export const secret = 'a secret that both servers know, 32+';

/** Both libraries with the same configuration at the same origin. */
export function makeSite({ origin = 'http://localhost:3000', ...options }: SiteOptions = {}): Site {
  const provider = new FakeProvider();
  const configFor = (library: Library): object => ({
    secret,
    trustHost: true,
    providers: [idpConfig(library, provider, options.provider)],
    logger: { warn: () => undefined, error: (error: Error) => errors.push(error) },
    ...(typeof options.config === 'function' ? options.config(library, provider) : options.config),
  });
  const errors: Error[] = [];
  const configs = { latchkey: configFor(latchkey), authjs: configFor(peer) };
  const current = { library: latchkey };
  const browser = new Browser((request) => current.library.auth(request, configs[current.library.name]), { origin });
  const csrfToken = async (): Promise<string> =>
    (await browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
  return {
    browser,
    provider,
    use: (library) => {
      current.library = library;
    },
    begin: async (callbackUrl = '/inside') =>
      browser.post('/auth/signin/idp', { csrfToken: await csrfToken(), callbackUrl }),
    comeBack: async (redirect) =>
      browser.get(await provider.authorize(redirect.location ?? ''), { site: 'cross-site' }),
    session: async () => (await browser.get('/auth/session')).json(),
    csrfToken,
  };
}

/** From one library to the other, both ways. */
export const crossings: readonly { from: Library; to: Library; title: string }[] = [
  { from: peer, to: latchkey, title: 'begun at Auth.js and finished at Latchkey' },
  { from: latchkey, to: peer, title: 'begun at Latchkey and finished at Auth.js' },
];
