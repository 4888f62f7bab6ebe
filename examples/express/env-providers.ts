import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExpressAuthConfig } from '@latchkey/express';

type Provider = ExpressAuthConfig['providers'][number];

/** The export of a provider's file. */
interface ProviderModule {
  default?: (options: object) => { id: string; type: string };
}

/**
 * Returns the built-in providers for which the environment has a client id or a key: `AUTH_GITHUB_ID` and
 * `AUTH_GITHUB_SECRET` enable GitHub. A real application imports its providers by name.
 */
export async function envProviders(env: NodeJS.ProcessEnv): Promise<Provider[]> {
  const isNamed = (id: string): boolean => ['ID', 'KEY'].some((part) => env[`AUTH_${variablePart(id)}_${part}`]);
  // Without such a variable, no provider is loaded.
  if (!Object.keys(env).some((name) => /^AUTH_.+_(ID|KEY)$/.test(name))) return [];
  const providers: Provider[] = [];
  for (const name of fileNames()) {
    const { default: factory }: ProviderModule = await import(`@latchkey/express/providers/${name}`);
    if (typeof factory === 'function' && isNamed(factory({}).id)) providers.push(factory as Provider);
  }
  return providers;
}

/** Returns the part of a variable's name for a provider id: `MICROSOFT_ENTRA_ID` for `microsoft-entra-id`. */
function variablePart(id: string): string {
  return id.toUpperCase().replace(/-/g, '_');
}

/** Returns the file names of the OAuth providers and of mail services, without extension. */
function fileNames(): string[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@latchkey/express/providers/google')));
  const own = ['index', 'credentials', 'nodemailer', 'email', 'webauthn', 'passkey', 'oauth', 'provider-types'];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => basename(file, '.js'))
    .filter((name) => !own.includes(name));
}
