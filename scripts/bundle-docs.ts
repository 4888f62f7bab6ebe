import type { Plugin } from 'rolldown';

/** The page in the package, as `errors.ts` writes it. */
const PACKAGED = "'@latchkey/core/docs/errors.md'";

/**
 * Replaces the page that messages name with that of the site.
 *
 * @param homepage URL of the site. `undefined`: messages name the page in the package.
 */
export function docs(homepage: string | undefined): Plugin {
  const page = homepage && JSON.stringify(`${homepage.replace(/\/$/, '')}/errors/`);
  return {
    name: 'docs',
    transform(code, id) {
      return page && /[\\/]core[\\/]src[\\/]errors\.ts$/.test(id) ? code.replace(PACKAGED, page) : null;
    },
  };
}
