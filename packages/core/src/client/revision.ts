/**
 * Which session the browser has, as a value that stands for nothing and is another one after each sign-in, sign-out and update;
 * `undefined` where the server has not said. See `session/revision.ts`.
 */
export function readRevision(): string | undefined {
  return /(?:^|; )authjs\.revision=([^;]*)/.exec(document.cookie)?.[1];
}
