import type { Inspection } from '@latchkey/core/inspection';
import type { Found } from '../load/configurations.ts';
import type { Report } from './finding.ts';
import { loweredSecurity } from './security.ts';

type InspectedProvider = Inspection['providers'][number];

/** Checks a configuration without sending a request. */
export function checkConfiguration({ given, inspection }: Found, env: Env, report: Report): void {
  reportProblems(inspection, report);
  for (const { path, similar } of inspection.unknownOptions) {
    report.add('unknown-option', {
      level: 'warning',
      message: `\`${path}\` is not an option.`,
      remedy: similar ? `Did you mean \`${similar}\`?` : 'Remove it.',
      facts: { option: path },
    });
  }
  for (const { option, effect, provider } of loweredSecurity(given, inspection, env)) {
    report.add('lowered-security', {
      level: 'warning',
      message: `${provider === undefined ? '' : `provider "${provider}": `}\`${option}\` is set: ${effect}.`,
      remedy: 'Remove it, unless you have decided so.',
      facts: { option, ...(provider !== undefined && { provider }) },
    });
  }
  checkSecrets(inspection, report);
  checkClients(inspection, report);
  for (const provider of inspection.providers) checkKey(provider, report);
}

/** Environment variables by name. */
type Env = Readonly<Record<string, string | undefined>>;

function reportProblems({ problems, warnings }: Inspection, report: Report): void {
  report.check('configuration', null);
  for (const { error, ids } of problems) {
    const [provider] = ids;
    const text = error.message.replace(/ See \S+$/, '');
    report.add(kebab(error.type), {
      ...sentences(text),
      docs: `errors.md#${error.type.toLowerCase()}`,
      facts: provider === undefined ? {} : { provider },
    });
  }
  for (const { code, words } of warnings) {
    report.add(code, { level: 'warning', ...sentences(words), docs: `errors.md#${code}` });
  }
}

/** `MissingSecret` becomes `missing-secret`; the general `AuthError` becomes `configuration`. */
function kebab(type: string): string {
  if (type === 'AuthError') return 'configuration';
  return type.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
}

/** A message of the library says what is wrong, and then what to do. */
function sentences(text: string): { message: string; remedy: string } {
  const end = text.search(/\. (?=[A-Z`])/);
  if (end === -1) return { message: dotted(text), remedy: 'The documentation says more.' };
  return { message: text.slice(0, end + 1), remedy: dotted(text.slice(end + 2)) };
}

function dotted(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Secrets of examples and of documentation. */
const EXAMPLES =
  /change[-_ ]?me|your[-_ ]|placeholder|secret[-_]?here|super[-_ ]?secret|my[-_ ]?secret|openssl rand|^(secret|password|test|example)|^x+$|<.+>|a-secret-of-more-than/i;
/** A secret of 33 random bytes in base64 has about 30 different characters. */
const FEWEST_CHARACTERS = 10;

function isExample(secret: string): boolean {
  return EXAMPLES.test(secret) || (secret.length >= 16 && new Set(secret).size < FEWEST_CHARACTERS);
}

function checkSecrets({ config, providers }: Inspection, report: Report): void {
  const secrets = [config.secret ?? []].flat();
  report.check(
    'example-secret',
    secrets.some((secret) => typeof secret === 'string' && isExample(secret)) && {
      message: 'the secret is one of an example, or has few different characters. Everyone can guess it.',
      remedy: 'Run `npx @latchkey/cli secret`, and set AUTH_SECRET to the output.',
    },
  );
  for (const provider of providers) {
    const { clientSecret } = provider as { clientSecret?: unknown };
    if (typeof clientSecret !== 'string' || !EXAMPLES.test(clientSecret)) continue;
    report.add('example-secret', {
      message: `provider "${provider.id}": the client secret is one of an example.`,
      remedy: `Set AUTH_${envName(provider.id)}_SECRET to the secret that the provider shows.`,
      facts: { provider: provider.id },
    });
  }
}

function checkClients({ missingClients, providers }: Inspection, report: Report): void {
  const remote = providers.filter(({ type }) => type === 'oauth' || type === 'oidc');
  for (const { id } of remote) {
    for (const part of ['id', 'secret'] as const) {
      const missing = missingClients.find(({ provider, lacks }) => provider === id && lacks === part);
      const forPublic =
        part === 'id' ? '' : " For a public client, set `client: { token_endpoint_auth_method: 'none' }`.";
      report.check(
        `client-${part}-missing`,
        missing && {
          message: `provider "${id}" has no client ${part}.`,
          remedy: `Set ${missing.variable} to the ${part} that the provider shows.${forPublic}`,
          facts: { provider: id, variable: missing.variable },
        },
      );
    }
  }
}

/** Providers whose API key has a variable. */
const KEYED: ReadonlySet<string> = new Set(['forwardemail', 'loops', 'mailgun', 'postmark', 'resend', 'sendgrid']);

function checkKey({ id, type, apiKey }: InspectedProvider & { apiKey?: unknown }, report: Report): void {
  if (type !== 'email') return;
  report.check(
    'api-key-missing',
    KEYED.has(id) &&
      !apiKey && {
        message: `provider "${id}" has no API key.`,
        remedy: `Set AUTH_${envName(id)}_KEY.`,
        facts: { provider: id },
      },
  );
}

/** Returns a provider's id as it is spelled in the environment. */
export function envName(id: string): string {
  return id.toUpperCase().replaceAll('-', '_');
}
