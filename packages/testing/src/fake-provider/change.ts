/**
 * What is changed in a right JSON object: members to set (`undefined` leaves one out), or a function that gets the right object and
 * returns the one to send.
 */
export type Change =
  | Readonly<Record<string, unknown>>
  | ((right: Readonly<Record<string, unknown>>) => Record<string, unknown>);

/** The object to send. Pure. */
export function changed(right: Readonly<Record<string, unknown>>, change: Change | undefined): Record<string, unknown> {
  if (typeof change === 'function') return change(right);
  return { ...right, ...change };
}
