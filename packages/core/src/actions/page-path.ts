/** A page's address with query parameters added to whatever it has; those that are `undefined` are left out. */
export function pagePath(page: string, params: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (given.length === 0) return page;
  return `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
