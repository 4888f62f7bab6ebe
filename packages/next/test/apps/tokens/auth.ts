import NextAuth from '@latchkey/next';

/** The tests read the requests to the provider in the log. */
async function refresh({ refreshToken }: { refreshToken: string }) {
  console.log(`refresh with ${refreshToken}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const number = Number(/\d+$/.exec(refreshToken)?.[0] ?? 0) + 1;
  const tokens = { access_token: `access ${number}`, refresh_token: `refresh ${number}`, token_type: 'bearer' };
  // The tokens of the visitor `refresh` expire again during the test.
  return { tokens: { ...tokens, expires_in: refreshToken.startsWith('refresh') ? 3 : 600 } };
}

export const { auth, handlers, tokens } = NextAuth({
  session: { strategy: 'jwt' },
  tokens: { store: 'cookie' },
  providers: [
    {
      id: 'fake',
      name: 'Fake',
      type: 'oauth',
      clientId: 'client',
      clientSecret: 'secret of the client',
      authorization: 'https://idp.test/authorize',
      token: 'https://idp.test/token',
      userinfo: 'https://idp.test/userinfo',
      refresh: { request: refresh },
    },
  ],
});

/** The access token, or the code of the error. */
export async function tokenOrCode(): Promise<string> {
  return tokens.get('fake').then(
    ({ accessToken }) => accessToken,
    (error: { code?: string }) => String(error.code ?? error),
  );
}
