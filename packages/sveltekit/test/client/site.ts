import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { answerNodeRequest } from '@latchkey/core/binding';
import { CredentialsSignin } from '@latchkey/core/errors';
import Credentials from '@latchkey/core/providers/credentials';
import WebAuthn from '@latchkey/core/providers/webauthn';
import type { AuthConfig } from '@latchkey/core/types';
import { memoryAdapter } from '@latchkey/testing';
import { build } from 'esbuild';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The page's script as Kit's bundler makes it, with that major's modules. */
async function bundled(major: 2 | 3): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path('app/main.ts')],
    bundle: true,
    write: false,
    logLevel: 'error',
    alias: {
      '$app/paths': path(`app/paths-${major}.ts`),
      '$app/navigation': path(major === 2 ? 'app/navigation.ts' : 'app/navigation-3.ts'),
      '@latchkey/sveltekit/client': path('../../src/client.ts'),
      '@latchkey/sveltekit/webauthn': path('../../src/webauthn.ts'),
      '@latchkey/core/client': path('../../../core/src/client.ts'),
    },
  });
  return outputFiles[0]?.text ?? '';
}

class WrongPassword extends CredentialsSignin {
  override code = 'wrong_password';
}

const codes: string[] = [];

const config: AuthConfig = {
  secret: 'a-secret-for-tests-of-more-than-32-characters',
  trustHost: true,
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
  experimental: { enableWebAuthn: true },
  logger: { error: () => {}, warn: () => {} },
  providers: [
    // With a mail provider, a new address would have to be confirmed first.
    WebAuthn({ id: 'keys', unverifiedEmail: 'allow' }),
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      sendVerificationRequest: ({ code }) => void codes.push(String(code)),
    },
    Credentials({
      id: 'password',
      credentials: { name: {}, password: {} },
      authorize({ name, password }) {
        if (password !== 'password') throw new WrongPassword();
        return { id: String(name), name: String(name) };
      },
    }),
  ],
};

/** An application below `/shop`, with the actions where Kit's `handle` has them, without tokens. */
export interface KitSite {
  readonly origin: string;
  /** The codes of the mails so far. */
  readonly codes: string[];
  close(): Promise<void>;
}

/** Starts it on a free port; its pages are `/shop/2` and `/shop/3`, by the major of Kit. */
export async function startKitSite(): Promise<KitSite> {
  const scripts = { 2: await bundled(2), 3: await bundled(3) };
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const basePath = url.startsWith('/shop/other/') ? '/shop/other' : '/shop/auth';
    if (url.startsWith(`${basePath}/`)) {
      const place = { origin: `http://${request.headers.host}`, path: url, basePath };
      const call = { forms: 'host-checked', revision: true } as object;
      return answerNodeRequest(request, response, { config, call }, place);
    }
    const major = url.includes('2') ? 2 : 3;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(`<!doctype html><title>Kit</title><script>${scripts[major]}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    codes,
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
