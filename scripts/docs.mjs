import { join } from 'node:path';
import { exitWith, run } from './run.mjs';
import { install, root, setup } from './setup.mjs';

const site = join(root, 'site');

// `npm run docs` builds the documentation site into `site/dist`; `npm run docs:dev` serves it while you write.
await exitWith(async () => {
  const { node } = setup();
  install(site);
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  const steps = [
    ['prepare.mjs'],
    ['node_modules/astro/bin/astro.mjs', process.argv.includes('--dev') ? 'dev' : 'build'],
  ];
  for (const step of steps) {
    const code = await run(node, step, { cwd: site, env });
    if (code !== 0) return code;
  }
  return 0;
});
