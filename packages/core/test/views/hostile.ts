import language from '../../src/messages/en.ts';
import { type ConfirmEmailPageData, confirmEmailPage } from '../../src/views/confirm-email.ts';
import { errorPage } from '../../src/views/error.ts';
import { type SessionsPageData, sessionsPage } from '../../src/views/sessions.ts';
import type { SignInSite, SignInVisit } from '../../src/views/sign-in/data.ts';
import { signInPage } from '../../src/views/sign-in/page.ts';
import { signedInPage } from '../../src/views/sign-in/signed-in.ts';
import { keyStep, nextForm, passwordStep, registerStep } from '../../src/views/sign-in/steps.ts';
import { type SignOutPageData, signOutPage } from '../../src/views/sign-out.ts';
import { type VerifyRequestPageData, verifyRequestPage } from '../../src/views/verify-request.ts';

/** Each of them marks its success: an `xss` element, an event handler or `globalThis.xss`. */
export const payloads: readonly string[] = [
  '<xss>',
  '<script>globalThis.xss=1</script>',
  '"><img src=x onerror="globalThis.xss=1">',
  "'><svg onload='globalThis.xss=1'>",
  '" autofocus onfocus="globalThis.xss=1" x="',
  '` onmouseover=globalThis.xss=1 `',
  '</style></title></textarea></main><xss><!--',
  '--><xss>',
  ']]><xss>',
  '&lt;xss&gt;&#60;xss&#62;&quot;',
  'javascript:globalThis.xss=1',
  ' jAvA\tscript:globalThis.xss=1',
  'data:text/html,<script>globalThis.xss=1</script>',
  '\u0000<xss>\u2028\ud800',
  '{{globalThis.xss=1}}',
  '#fff}*{background:url(//evil.example/xss)}',
];

type Poisoned = SessionsPageData & { readonly method: string };

type SignedIn = Omit<Parameters<typeof signedInPage>[0], 'site'>;

const signInUrls = { signInUrl: '', signOutUrl: '', signUpUrl: '', forgotPasswordUrl: '' };
const signInRequest = {
  csrfToken: '',
  callbackUrl: '',
  identifier: '',
  problem: { error: '', reason: '', code: '', provider: '', values: { key: '' } },
};

const passkeySteps = {
  ...signInUrls,
  theme: { logo: '' },
  ...signInRequest,
  scripts: { page: '', passkey: '' },
  providers: [
    {
      ...{ type: 'webauthn', id: '', name: '', callbackUrl: '', optionsUrl: '', autofill: true, isDiscoverable: false },
      fields: { key: { label: '', value: '', autocomplete: '' } },
    },
  ],
};

/** The language is not a place for text of visitors. */
function siteOf(data: Omit<SignInSite, 'language' | 'providers'> & Partial<SignInSite> & SignInVisit): SignInSite {
  return { ...data, providers: data.providers ?? [], language };
}

const pages: Record<string, { data: unknown; render: (data: never) => string }> = {
  signIn: {
    data: {
      ...signInUrls,
      theme: { colorScheme: '', logo: '', brandColor: '', buttonText: '' },
      ...signInRequest,
      visitor: '',
      lastUsed: '',
      scripts: { page: '', passkey: '' },
      providers: [
        { type: 'oauth', id: '', name: '', signinUrl: '', brandColor: '', logo: '' },
        { type: 'oidc', id: '', name: '', signinUrl: '', icon: '' },
        { type: 'email', id: '', name: '', signinUrl: '' },
        {
          type: 'webauthn',
          id: '',
          name: '',
          callbackUrl: '',
          optionsUrl: '',
          autofill: true,
          isDiscoverable: true,
          fields: { key: { label: '', value: '', autocomplete: '', attribute: '' } },
        },
        {
          type: 'credentials',
          id: '',
          name: '',
          callbackUrl: '',
          fields: {
            key: {
              label: '',
              type: '',
              placeholder: '',
              value: '',
              autocomplete: '',
              title: '',
              'aria-label': '',
              attribute: '',
            },
          },
        },
      ],
    },
    render: (data) => signInPage(siteOf(data), data).html,
  },
  passwordStep: {
    data: {
      ...signInUrls,
      theme: { logo: '' },
      ...signInRequest,
      providers: [
        { type: 'email', id: 'mail', name: '', signinUrl: '' },
        {
          type: 'credentials',
          id: 'credentials',
          name: '',
          callbackUrl: '',
          fields: {
            name: { label: '', placeholder: '', autocomplete: '' },
            password: { label: '', type: 'password', placeholder: '' },
          },
        },
      ],
    },
    render: (data) => {
      const site = siteOf(data);
      const next = nextForm(site);
      return next?.kind === 'identifier' ? passwordStep(site, next, data, true).html : '';
    },
  },
  keyStep: {
    data: passkeySteps,
    render: (data) => {
      const site = siteOf(data);
      const [key] = site.providers;
      return key?.type === 'webauthn' ? keyStep(site, key, data).html : '';
    },
  },
  registerStep: { data: passkeySteps, render: (data) => registerStep(siteOf(data), data).html },
  signedIn: {
    data: { ...signInUrls, theme: { logo: '' }, csrfToken: '', callbackUrl: '', user: '', name: '', addUrl: '' },
    render: (data) => signedInPage({ site: siteOf(data), ...(data as object as SignedIn) }).html,
  },
  signOut: {
    data: {
      theme: {
        ...{ name: '', logo: { light: '', dark: '' }, favicon: '', colorScheme: '', font: { family: '', src: '' } },
        ...{ radius: '', variables: { '--surface': '' }, links: { terms: '', privacy: '', help: '' } },
      },
      ...{ csrfToken: '', user: '', signOutUrl: '', sessionsUrl: '', callbackUrl: '', scripts: [''] },
    },
    render: (data: object) => signOutPage({ ...(data as SignOutPageData), language }).html,
  },
  sessions: {
    data: {
      theme: { brandColor: '', logo: '' },
      origin: '',
      csrfToken: '',
      sessionsUrl: '',
      sessions: [{ id: '', current: false, label: '', network: '', provider: 'demo' }],
      method: '',
    },
    render: (data) => {
      const { sessions, method, ...others } = data as Poisoned;
      const at = new Date(0);
      const dated = sessions.map((session) => ({ ...session, startedAt: at, seenAt: at, expires: at }));
      return sessionsPage({ ...others, language, sessions: dated, methods: new Map([['demo', method]]), now: at }).html;
    },
  },
  confirmEmail: {
    data: {
      theme: { brandColor: '', logo: '' },
      csrfToken: '',
      callbackUrl: '',
      token: '',
      email: '',
      action: '',
      signedInAs: '',
      asked: { at: new Date(0), browser: '', system: '' },
      now: new Date(60_000),
      hasCode: true,
    },
    render: (data: object) => confirmEmailPage({ ...(data as ConfirmEmailPageData), language }).html,
  },
  verifyRequest: {
    data: {
      theme: { brandColor: '', logo: '' },
      origin: '',
      csrfToken: '',
      signInUrl: '',
      mail: { address: '', codeUrl: '', resendUrl: '', secondsToWait: 30 },
    },
    render: (data: object) => verifyRequestPage({ ...(data as VerifyRequestPageData), language }).html,
  },
  error: {
    data: {
      theme: { logo: '', buttonText: '' },
      error: '',
      signInUrl: '',
      origin: '',
      reference: '',
      details: [{ type: '', message: '', remedy: '' }],
    },
    render: (data) => errorPage({ ...(data as Parameters<typeof errorPage>[0]), language }).page.html,
  },
};

/** Every place of every page that holds text, one at a time: `[name, render(payload)]`. */
export const parameters: readonly (readonly [name: string, render: (payload: string) => string])[] = Object.entries(
  pages,
).flatMap(([page, { data, render }]) =>
  places(data).map(
    (path) => [`${page}: ${path.join('.')}`, (payload: string) => render(place(data, path, payload) as never)] as const,
  ),
);

/** All places at once. */
export function poisoned(payload: string): string[] {
  return Object.values(pages).map(({ data, render }) => {
    const everywhere = places(data).reduce((copy, path) => place(copy, path, payload), data);
    return render(everywhere as never);
  });
}

/** Paths to empty strings; a path that ends in `*` replaces the name of the member, not its value. */
function places(data: unknown, path: readonly string[] = []): string[][] {
  if (data === '') return [[...path]];
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => {
    const isName = key === 'key' || key === 'attribute';
    return [...places(value, [...path, key]), ...(isName ? [[...path, key, '*']] : [])];
  });
}

function place(data: unknown, path: readonly string[], payload: string): unknown {
  const [key, next] = path;
  if (key === undefined) return payload;
  if (Array.isArray(data))
    return data.map((value, index) => (String(index) === key ? place(value, path.slice(1), payload) : value));
  return Object.fromEntries(
    Object.entries(data as object).map(([name, value]) => {
      if (name !== key) return [name, value];
      return next === '*' ? [payload, value || 'value'] : [name, place(value, path.slice(1), payload)];
    }),
  );
}
