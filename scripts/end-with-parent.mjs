/** Milliseconds between two checks of the parent. */
const pause = 500;

// `node --import ./scripts/end-with-parent.mjs program`: the program gets a SIGTERM when its parent has ended.
// Otherwise it would keep running after a signal that reaches only the parent, or that the parent cannot catch.
const parent = process.ppid;
const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  process.kill(process.pid, 'SIGTERM');
}, pause);
timer.unref();
