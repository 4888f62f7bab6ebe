/** A base path in its one form: '' for the root, else with a leading slash and without a trailing one. */
export function trimmedPath(path: string): string {
  // Whoever asks with each request has it in that form.
  if (path === '' || (path.startsWith('/') && !path.startsWith('//') && !path.endsWith('/'))) return path;
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner && `/${inner}`;
}
