/** The form of a provider's id in environment variables: `AUTH_<name>_ID`. */
export function envName(id: string): string {
  return id.toUpperCase().replaceAll('-', '_');
}
