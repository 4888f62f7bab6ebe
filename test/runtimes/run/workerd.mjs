import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { secret } from './environment.mjs';

/** As of this day workerd behaves; from 2026-08-04 on it has node: modules without being asked. */
const compatibilityDate = '2026-07-01';

/**
 * Writes a configuration of workerd beside the task and returns its path.
 *
 * @param {string} folder
 * @param {string} task
 * @param {string} worker
 * @param {string[]} [flags]
 */
export function workerdConfig(folder, task, worker, flags = []) {
  const path = join(folder, `${basename(task, '.json')}.capnp`);
  writeFileSync(
    path,
    `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    # Workers may not send requests.
    (name = "internet", network = (allow = [])),
  ],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "workers/${worker}.js")],
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = ${JSON.stringify(flags)},
  bindings = [
    (name = "TASK", text = embed "${basename(task)}"),
    (name = "AUTH_SECRET", text = "${secret}"),
    (name = "SELF", service = "worker"),
  ],
);
`,
  );
  return path;
}
