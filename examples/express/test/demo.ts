import { type Demo, runDemo as run, startDemo as start } from '../../shared/test/demo.ts';

export { type Demo, dataFolder, freePort, testFolder } from '../../shared/test/demo.ts';

/** Starts the demo and waits until it is ready. */
export function startDemo(port: number, folder: string, env?: Record<string, string>): Promise<Demo> {
  return start('express', port, folder, env);
}

/** Runs a demo that is expected to end by itself, because it cannot start. */
export function runDemo(env: Record<string, string>): ReturnType<typeof run> {
  return run('express', env);
}
