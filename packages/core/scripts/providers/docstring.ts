import { Problem } from '../../../../scripts/problem.mjs';

/** What the docstring of a provider's factory says, by its tags. */
export interface Documented {
  /** The text before the tags. */
  readonly about: string;
  /** `@see`: the vendor's documentation that the file follows. */
  readonly see: readonly string[];
  /** `@reviewed`: when that was looked at, `yyyy-mm-dd`. */
  readonly reviewed: string;
  /** `@register`: where the application is registered, and what to enter there. */
  readonly register: string;
  /** `@issuer`: what the issuer looks like, for providers that have to be told. */
  readonly issuer: string | undefined;
  /** `@option`: options beside those that every provider has. */
  readonly options: readonly string[];
  /** `@quirk`: what else one has to know. */
  readonly quirks: readonly string[];
}

const known = ['see', 'reviewed', 'register', 'issuer', 'option', 'quirk', 'throws'];

/**
 * Reads the docstring above `export default function`.
 *
 * @throws {Problem} when a tag is missing, unknown or malformed.
 */
export function readDocstring(source: string, file: string): Documented {
  const [, docstring] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export default function/.exec(source) ?? [];
  const complain = (problem: string): never => {
    throw new Problem(`src/providers/${file}.ts: ${problem}. See packages/core/test/providers/README.md`);
  };
  if (docstring === undefined) return complain('the factory has no docstring');
  const [about = '', ...rest] = docstring.split(/^\s*\*? ?@(?=[a-z])/m).map(plain);
  const tags = rest.map((text) => {
    const [, name = '', value = ''] = /^(\w+)\s+([\s\S]+)$/.exec(text) ?? [];
    if (!known.includes(name)) complain(`the tag @${name || text} is none of ${known.join(', ')}, or says nothing`);
    return { name, value };
  });
  const all = (name: string): string[] => tags.filter((tag) => tag.name === name).map(({ value }) => value);
  const [reviewed = '', register = '', issuer] = ['reviewed', 'register', 'issuer'].map((name) => all(name)[0]);
  if (!all('see').every((address) => /^https:\/\/\S+$/.test(address)) || all('see').length === 0) {
    complain('@see is missing, or no address');
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(reviewed)) complain('@reviewed is missing, or no date yyyy-mm-dd');
  if (!register) complain('@register is missing');
  return { about, see: all('see'), reviewed, register, issuer, options: all('option'), quirks: all('quirk') };
}

/** The text without the stars at its line starts, on one line. */
function plain(text: string): string {
  return text
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
