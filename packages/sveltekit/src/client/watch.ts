import { listen, readRevision } from '@latchkey/core/client';
import { reload } from './kit.ts';

/**
 * Has the `load` functions look again when somebody has signed in or out elsewhere, in another tab for example:
 * `onMount(watchSession)` in the layout. Nobody is asked before something has happened.
 *
 * @returns Ends it.
 */
export function watchSession(): () => void {
  let seen = readRevision();
  const look = (): void => {
    const revision = readRevision();
    if (revision === seen) return;
    seen = revision;
    void reload();
  };
  return listen(look, look, look);
}
