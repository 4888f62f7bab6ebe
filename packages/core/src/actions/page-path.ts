/** A page's address with query parameters added to whatever it has; those that are `undefined` are left out. */
export function pagePath(page: string, params: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (given.length === 0) return page;
  return `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

/** As {@link pagePath}, with our origin in front where the page is a path. */
export function pageAddress(
  origin: string,
  page: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  const path = pagePath(page, params);
  return path.startsWith('/') ? origin + path : path;
}
