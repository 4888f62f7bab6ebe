import { type ClientBinding, clientBinding, reloadWatchers } from '@latchkey/core/client';

/** Returns how forms are sent to the actions. With `redirect: false`, the result comes when the loaders have run. */
export function actionsAt(basePath: string | undefined): ClientBinding {
  return clientBinding(basePath, reloadWatchers);
}
