import { report } from '../portable/main.ts';
import { passkeyJourney } from '../portable/passkey-journey.ts';
import { MARK, type Task } from './task.ts';

/** The bindings of the worker. */
interface Env {
  readonly TASK: string;
  readonly SELF: { fetch(address: string): Promise<Response> };
}

// On workerd with `nodejs_compat`: the variables are in `process.env`, and there are node: modules.
export default {
  async fetch(_request: Request, env: Env): Promise<Response> {
    const { by, engine, fromOthers } = JSON.parse(env.TASK) as Task;
    // By what only Cloudflare has, workerd gets the portable engine, the faster one there; it could use the other one,
    // too.
    if (engine === 'node') forget('WebSocketPair');
    return Response.json(await report(by, { engine, env: process.env, fromOthers }, passkeyJourney));
  },
  async test(_controller: unknown, env: Env): Promise<void> {
    const response = await env.SELF.fetch('http://worker.test/');
    console.log(MARK + (await response.text()));
  },
};

function forget(name: string): void {
  for (let holder: object | null = globalThis; holder; holder = Object.getPrototypeOf(holder) as object | null)
    Reflect.deleteProperty(holder, name);
}
