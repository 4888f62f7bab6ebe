import { CredentialsSignin, customFetch, SvelteKitAuth } from '@auth/sveltekit';
import Credentials from '@auth/sveltekit/providers/credentials';

class WrongPassword extends CredentialsSignin {
  code = 'wrong-password';
}

export const { handle, signIn, signOut } = SvelteKitAuth({
  trustHost: true,
  logger: { error() {} },
  providers: [
    {
      id: 'idp',
      name: 'Identity provider',
      type: 'oidc',
      issuer: 'https://idp.test',
      clientId: 'client',
      [customFetch]: (globalThis as unknown as { idp: typeof fetch }).idp,
    },
    Credentials({
      credentials: { password: { label: 'Password', type: 'password' } },
      authorize({ password }) {
        if (password !== 'right') throw new WrongPassword();
        return { id: '1', name: 'Ada', email: 'ada@example.com' };
      },
    }),
  ],
  callbacks: {
    session({ session, token }) {
      return { ...session, subject: token.sub };
    },
  },
});
