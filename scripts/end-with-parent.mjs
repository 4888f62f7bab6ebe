import { onParentEnd } from './parent.mjs';

// `node --import ./scripts/end-with-parent.mjs program`: the program gets a SIGTERM when its parent is gone.
onParentEnd(() => process.kill(process.pid, 'SIGTERM'));
