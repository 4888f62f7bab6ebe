/** A short name under which a visitor can report what only the log tells. */
export function newReference(): string {
  return crypto.randomUUID().slice(0, 8);
}
