import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Problem } from '../../../../scripts/run.mjs';
import { checkProviders } from '../../src/config/check-providers.ts';
import { resolveProvider } from '../../src/config/provider.ts';
import { withOptions } from '../../src/config/provider-options.ts';
import type { EmailVerification } from '../../src/providers/oauth.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Documented, readDocstring } from './docstring.ts';

/** Facts about a provider for its documentation. */
export interface Facts extends Documented {
  /** Name of its file, without extension. */
  readonly file: string;
  readonly id: string;
  readonly name: string;
  readonly type: 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn';
  /** Name of the factory. */
  readonly factory: string;
  /** Suffixes of the variables `AUTH_<ID>_…` that the provider reads. */
  readonly env: readonly string[];
  readonly scopes: string;
  /** `true`: the vendor's page posts the callback. */
  readonly posted: boolean;
  /** An example user from the fixture. Undefined for email, credentials and passkeys. */
  readonly user?: Readonly<Record<string, string | null>> | undefined;
  readonly emailVerified?: boolean | undefined;
  /** The option of the provider file; `depends` if it decides by the profile. Undefined if it is not set. */
  readonly emailVerification?: EmailVerification | 'depends' | undefined;
}

const folder = new URL('../../src/providers/', import.meta.url);
const fixtures = new URL('../../test/providers/fixtures/', import.meta.url);

/** Files in the folder that do not define a provider. */
const others = ['index', 'oauth', 'provider-types'];

/**
 * Returns the facts of all providers, sorted by name.
 *
 * @throws {Problem} with the name of the file if a fact is missing.
 */
export async function allFacts(): Promise<Facts[]> {
  const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ''));
  const facts = await Promise.all(files.filter((file) => !others.includes(file)).map(factsOf));
  return facts.sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en'));
}

type Made = { id: string; name: string; type: Facts['type']; emailVerification?: EmailVerification | object };

async function factsOf(file: string): Promise<Facts> {
  const url = new URL(`${file}.ts`, folder);
  const { default: factory } = (await import(url.href)) as { default: (options: object) => Made };
  // Email factories require `apiKey` or `server`. The others ignore them.
  const made = factory({ clientId: 'id', clientSecret: 'secret', apiKey: 'key', server: 'smtp://localhost' });
  const { id, name, type } = made;
  const documented = readDocstring(readFileSync(url, 'utf8'), file);
  const common = { file, id, name, type, factory: factory.name, ...documented };
  if (type === 'email')
    return { ...common, env: file === 'email' || file === 'nodemailer' ? [] : ['KEY'], scopes: '', posted: false };
  if (type === 'credentials' || type === 'webauthn') return { ...common, env: [], scopes: '', posted: false };
  checkIssuer(file, made, documented);
  const example = exampleOf(file);
  const emailVerification =
    typeof made.emailVerification === 'string'
      ? made.emailVerification
      : made.emailVerification && ('depends' as const);
  checkEmail(file, documented, example, emailVerification);
  const { authorization, formPost } = resolveProvider(
    withOptions(made as never),
    'https://app.example/auth',
    undefined,
  ) as {
    authorization: { url?: URL; params: Record<string, string> };
    formPost: boolean;
  };
  return {
    ...common,
    env: ['ID', 'SECRET', ...(documented.issuer ? ['ISSUER'] : [])],
    scopes: authorization.params['scope'] ?? authorization.url?.searchParams.get('scope') ?? '',
    posted: formPost,
    ...example,
    emailVerification,
  };
}

/** A provider that does not work without an issuer or an option of its own says so. */
function checkIssuer(file: string, made: Made, { issuer, options }: Documented): void {
  const { scoped: problems } = checkProviders({ providers: [made as never] } as AuthConfig);
  if (problems.length > 0 && !issuer && options.length === 0) {
    throw new Problem(`src/providers/${file}.ts works only with an issuer: tell in @issuer what it looks like`);
  }
}

/** A provider states whether its vendor vouches for addresses. Its option and its fixture agree. */
function checkEmail(
  file: string,
  { email }: Documented,
  { user, emailVerified }: Example,
  emailVerification: Facts['emailVerification'],
): void {
  const allowed = {
    stated: emailVerified !== undefined,
    unverified: emailVerified === false && emailVerification === 'never',
    depends: true,
    'not-stated': emailVerified !== true,
  };
  const hasAddress = Boolean(user?.['email']);
  if (email && (email.kind === 'none' ? !hasAddress : hasAddress && allowed[email.kind])) return;
  throw new Problem(
    `src/providers/${file}.ts: @email is missing, or the fixture says something else. See packages/core/test/providers/README.md`,
  );
}

type Example = Pick<Facts, 'user' | 'emailVerified'>;

function exampleOf(file: string): Example {
  const fixture = new URL(`${file}.json`, fixtures);
  if (!existsSync(fixture)) throw new Problem(`test/providers/fixtures/${file}.json is missing`);
  const { user, emailVerified } = JSON.parse(readFileSync(fixture, 'utf8')) as Example;
  return { user, emailVerified };
}
