import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExpressAuthConfig } from '@latchkey/express';

type Provider = ExpressAuthConfig['providers'][number];

/** What a provider's file exports. */
interface ProviderModule {
  default?: (options: object) => { id: string; type: string };
}

/**
 * The ready providers that the environment has a client id or a key for: `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET` switch GitHub
 * on. An application names its providers and imports those; a demo does not know whose ids its visitors have.
 */
export async function envProviders(env: NodeJS.ProcessEnv): Promise<Provider[]> {
  const isNamed = (id: string): boolean => ['ID', 'KEY'].some((part) => env[`AUTH_${variablePart(id)}_${part}`]);
  // Nothing is loaded where nothing is wanted.
  if (!Object.keys(env).some((name) => /^AUTH_.+_(ID|KEY)$/.test(name))) return [];
  const providers: Provider[] = [];
  for (const name of fileNames()) {
    const { default: factory }: ProviderModule = await import(`@latchkey/express/providers/${name}`);
    if (typeof factory === 'function' && isNamed(factory({}).id)) providers.push(factory as Provider);
  }
  return providers;
}

/** `microsoft-entra-id` is `MICROSOFT_ENTRA_ID` in a variable's name. */
function variablePart(id: string): string {
  return id.toUpperCase().replace(/-/g, '_');
}

/** Names of the provider files, those aside that are no provider of others. */
function fileNames(): string[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@latchkey/express/providers/google')));
  const own = ['index', 'credentials', 'nodemailer', 'email', 'webauthn', 'passkey', 'oauth', 'provider-types'];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => basename(file, '.js'))
    .filter((name) => !own.includes(name));
}
