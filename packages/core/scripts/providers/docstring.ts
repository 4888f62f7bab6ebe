import { Problem } from '../../../../scripts/run.mjs';

/** The docstring of a provider's factory, by its tags. */
export interface Documented {
  /** The text before the tags. */
  readonly about: string;
  /** `@see`: the vendor's documentation that the file follows. */
  readonly see: readonly string[];
  /** `@reviewed`: the day of the last review of that documentation, `yyyy-mm-dd`. */
  readonly reviewed: string;
  /** `@email`: whether the vendor vouches for addresses. OAuth and OpenID providers must have it. */
  readonly email: EmailStatement | undefined;
  /** `@register`: how to register the application. */
  readonly register: string;
  /** `@issuer`: the form of the issuer, for providers without a fixed one. */
  readonly issuer: string | undefined;
  /** `@option`: options in addition to the common ones. */
  readonly options: readonly string[];
  /** `@quirk`: deviations of the provider. */
  readonly quirks: readonly string[];
}

/** The statement of a vendor about the addresses of its users. */
interface EmailStatement {
  /**
   * `stated`: each address comes with whether it is verified. `unverified`: the vendor does not verify addresses.
   * `depends`: it depends on the configuration. `not-stated`: the documentation does not say. `none`: there is no
   * address.
   */
  readonly kind: (typeof emailKinds)[number];
  /** The page that says so, and the day of the reading. Default: the pages of `@see`, and the day of `@reviewed`. */
  readonly source: { readonly url: string; readonly read: string } | undefined;
  /** A sentence about it. May be empty. */
  readonly note: string;
}

const emailKinds = ['stated', 'unverified', 'depends', 'not-stated', 'none'] as const;

const known = ['see', 'reviewed', 'email', 'register', 'issuer', 'option', 'quirk', 'throws'];

/**
 * Reads the docstring above `export default function`.
 *
 * @throws {Problem} if a tag is missing, unknown or malformed.
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
    if (!known.includes(name))
      complain(`the tag @${name || text} must be one of ${known.join(', ')}, and must have a text`);
    return { name, value };
  });
  const all = (name: string): string[] => tags.filter((tag) => tag.name === name).map(({ value }) => value);
  const [reviewed = '', register = '', issuer] = ['reviewed', 'register', 'issuer'].map((name) => all(name)[0]);
  if (!all('see').every((address) => /^https:\/\/\S+$/.test(address)) || all('see').length === 0) {
    complain('@see must be an https URL');
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(reviewed)) complain('@reviewed must be a date, yyyy-mm-dd');
  if (!register) complain('@register is missing');
  const [email] = all('email').map(
    (value) => readEmail(value) ?? complain(`@email must begin with ${emailKinds.join(', ')}`),
  );
  return { about, see: all('see'), reviewed, email, register, issuer, options: all('option'), quirks: all('quirk') };
}

/** Reads `<kind> [<url> <yyyy-mm-dd>] [<note>]`. */
function readEmail(value: string): EmailStatement | undefined {
  const [, name, url, read = '', note = ''] =
    /^(\S+)(?:\s+(https:\S+)\s+(\d{4}-\d\d-\d\d))?(?:\s+(.+))?$/.exec(value) ?? [];
  const kind = emailKinds.find((one) => one === name);
  return kind && { kind, source: url ? { url, read } : undefined, note };
}

/** Returns the text on one line, without the stars at the start of lines. */
function plain(text: string): string {
  return text
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
