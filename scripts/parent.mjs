/** Milliseconds between two looks. */
const pause = 500;

/**
 * Calls back once when the process that started us has ended. A signal to npm alone, or one that nobody can catch,
 * would leave us running otherwise.
 *
 * @param {() => void} callback
 */
export function onParentEnd(callback) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, pause);
  timer.unref();
}
