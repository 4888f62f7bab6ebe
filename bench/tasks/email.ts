import { describe } from '../answers/describe.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, claims, cookieNames, csrfToken, origin, secret, usualCookies } from '../visitor.ts';

/**
 * How the visitor signs in: by a link as in Auth.js, by the link of a mail with a code, or by its code. The browser is
 * the one that requested the mail.
 */
type By = 'link' | 'link-of-code' | 'code';

interface Token {
  readonly identifier: string;
  readonly token: string;
  readonly expires: Date;
}

/** A store in memory. It does not delete tokens, so that one mail serves all runs. */
function store(): object {
  const tokens = new Map<string, Token>();
  const { sub: id, name, email, picture: image } = claims;
  const ada = { id, name, email, image, emailVerified: new Date(0) };
  return {
    createVerificationToken: async (token: Token) => void tokens.set(token.token, token),
    useVerificationToken: async ({ token }: Token) => tokens.get(token) ?? null,
    getUserByEmail: async (address: string) => (address === email ? ada : null),
    getUser: async () => ada,
    getUserByAccount: async () => null,
    createUser: async () => ada,
    updateUser: async () => ada,
    linkAccount: async () => undefined,
  };
}

async function familyWork(name: FamilyName, by: By): Promise<Work> {
  const { auth } = await family(name);
  const mail = { url: '', code: '' };
  const provider = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    code: by !== 'link',
    sendVerificationRequest: async ({ url, code = '' }: { url: string; code?: string }) =>
      void Object.assign(mail, { url, code }),
  };
  const config = {
    providers: [provider],
    adapter: store(),
    session: { strategy: 'jwt' as const },
    ...{ secret, trustHost: true, basePath, logger, rateLimit: false as const },
  };
  const post = (path: string, fields: Record<string, string>, cookie: string): Request =>
    new Request(`${origin}${basePath}/${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfToken, ...fields }).toString(),
    });
  const requested = await auth(post('signin/mail', { email: claims.email }, usualCookies), config);
  const set = requested.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(';')));
  const cookie = [usualCookies, ...set.filter((line) => line.startsWith('authjs.mail='))].join('; ');
  const run = (): Promise<Response> =>
    auth(
      by === 'code' ? post('code/mail', { code: mail.code }, cookie) : new Request(mail.url, { headers: { cookie } }),
      config,
    );
  return {
    run,
    async answer() {
      const { status, cookies } = await describe(await run());
      const session = cookies.find(({ name }) => name === cookieNames.session);
      if (!session) throw new Error(`the response does not sign in: ${status}`);
      return { status, session };
    },
  };
}

export const workshop: Workshop = {
  latchkey: (by: By) => familyWork('latchkey', by),
  authjs: (by: By) => familyWork('authjs', by),
};
