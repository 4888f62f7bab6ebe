import { type Demo, runDemo as run, startDemo as start } from '../../shared/test/demo.ts';

export { type Demo, dataFolder, freePort } from '../../shared/test/demo.ts';

/** Starts the demo and waits until it can be opened. */
export function startDemo(port: number, folder: string, env?: Record<string, string>): Promise<Demo> {
  return start('express', port, folder, env);
}

/** Runs the demo where it cannot start. */
export function runDemo(env: Record<string, string>): ReturnType<typeof run> {
  return run('express', env);
}
