import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Problem } from '../../../../scripts/problem.mjs';
import { checkProviders } from '../../src/config/check-providers.ts';
import { mergedProvider } from '../../src/config/merged-provider.ts';
import { normalProvider } from '../../src/config/provider.ts';
import type { AuthConfig } from '../../src/types.ts';
import { type Documented, readDocstring } from './docstring.ts';

/** What there is to say about one provider. */
export interface Facts extends Documented {
  /** Name of its file. */
  readonly file: string;
  readonly id: string;
  readonly name: string;
  readonly type: 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn';
  /** Name of the factory. */
  readonly factory: string;
  /** Parts of `AUTH_<ID>_…` that are read. */
  readonly env: readonly string[];
  readonly scopes: string;
  /** The callback comes as a POST from the vendor's site. */
  readonly posted: boolean;
  /** An example from the fixture; mail, credentials and passkeys have none. */
  readonly user?: Readonly<Record<string, string | null>> | undefined;
  readonly emailVerified?: boolean | undefined;
}

const folder = new URL('../../src/providers/', import.meta.url);
const fixtures = new URL('../../test/providers/fixtures/', import.meta.url);

/** Files that hold no provider. */
const others = ['index', 'oauth', 'provider-types'];

/**
 * The facts of every provider, by name.
 *
 * @throws {Problem} naming the file that lacks one.
 */
export async function allFacts(): Promise<Facts[]> {
  const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ''));
  const facts = await Promise.all(files.filter((file) => !others.includes(file)).map(factsOf));
  return facts.sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en'));
}

type Made = { id: string; name: string; type: Facts['type'] };

async function factsOf(file: string): Promise<Facts> {
  const url = new URL(`${file}.ts`, folder);
  const { default: factory } = (await import(url.href)) as { default: (options: object) => Made };
  // What the factories of mail ask for comes along; the others leave it alone.
  const made = factory({ clientId: 'id', clientSecret: 'secret', apiKey: 'key', server: 'smtp://localhost' });
  const { id, name, type } = made;
  const documented = readDocstring(readFileSync(url, 'utf8'), file);
  const common = { file, id, name, type, factory: factory.name, ...documented };
  if (type === 'email')
    return { ...common, env: file === 'email' || file === 'nodemailer' ? [] : ['KEY'], scopes: '', posted: false };
  if (type === 'credentials' || type === 'webauthn') return { ...common, env: [], scopes: '', posted: false };
  checkIssuer(file, made, documented);
  const { authorization, formPost } = normalProvider(
    mergedProvider(made as never),
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
    ...exampleOf(file),
  };
}

/** A provider that does not work without an issuer or an option of its own says so. */
function checkIssuer(file: string, made: Made, { issuer, options }: Documented): void {
  const problems = checkProviders({ providers: [made as never] } as AuthConfig);
  if (problems.length > 0 && !issuer && options.length === 0) {
    throw new Problem(`src/providers/${file}.ts works only with an issuer: tell in @issuer what it looks like`);
  }
}

function exampleOf(file: string): Pick<Facts, 'user' | 'emailVerified'> {
  const fixture = new URL(`${file}.json`, fixtures);
  if (!existsSync(fixture)) throw new Problem(`test/providers/fixtures/${file}.json is missing`);
  const { user, emailVerified } = JSON.parse(readFileSync(fixture, 'utf8')) as Pick<Facts, 'user' | 'emailVerified'>;
  return { user, emailVerified };
}
