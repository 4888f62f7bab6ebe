/** A base path in its one form: '' for the root, else with a leading slash and without a trailing one. */
export function trimmedPath(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner && `/${inner}`;
}
