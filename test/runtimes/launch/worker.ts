import type { Cases } from '../portable/case.ts';
import { equal } from '../portable/expect.ts';
import { report } from '../portable/main.ts';
import { MARK, type Task } from './task.ts';

/** The bindings of the worker: variables, and the way to itself. */
interface Env extends Record<string, unknown> {
  readonly TASK: string;
  readonly AUTH_SECRET: string;
  readonly SELF: { fetch(address: string): Promise<Response> };
}

const bare: Cases = {
  'has neither `process` nor node: modules': async () => {
    equal([typeof process, typeof Buffer], ['undefined', 'undefined']);
  },
};

// On workerd as it is. `workerd test` calls `test`.
export default {
  async fetch(_request: Request, env: Env): Promise<Response> {
    const { by, engine, fromOthers } = JSON.parse(env.TASK) as Task;
    const world = { engine, env: { AUTH_SECRET: env.AUTH_SECRET }, fromOthers };
    return Response.json(await report(by, world, bare));
  },
  async test(_controller: unknown, env: Env): Promise<void> {
    const response = await env.SELF.fetch('http://worker.test/');
    console.log(MARK + (await response.text()));
  },
};
