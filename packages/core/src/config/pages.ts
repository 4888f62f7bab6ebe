import type { Optional, PagesOptions } from '../types.ts';

/**
 * The application's pages in the one form: a path from the root of the site, or a whole address. `login` is the path `/login`; as it
 * stands a browser would look for it below the page that sends it there.
 *
 * @returns The same object where there is nothing to do.
 */
export function rootedPages(pages: Optional<PagesOptions> | undefined): Optional<PagesOptions> | undefined {
  const entries = Object.entries(pages ?? {});
  if (!entries.some(([, page]) => isRelative(page))) return pages;
  return Object.fromEntries(entries.map(([name, page]) => [name, isRelative(page) ? `/${page}` : page]));
}

/** Neither a path from the root nor an address with a scheme (RFC 3986 §3.1); none is none. */
function isRelative(page: unknown): boolean {
  return typeof page === 'string' && page !== '' && !/^(\/|[a-z][a-z\d+.-]*:)/i.test(page);
}
