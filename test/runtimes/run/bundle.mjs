import { join } from 'node:path';
import { root } from '../../../scripts/setup.mjs';

/**
 * Compiles the flows into a folder that {@link import('./packed.mjs').installPacked} has made: `process.js` imports our
 * packages from there, the workers have them inside, since workerd loads no packages.
 *
 * @param {string} folder
 */
export async function bundleFlows(folder) {
  // Only now: nothing was installed when this file was loaded.
  const { build } = await import('esbuild');
  const launchers = join(root, 'test/runtimes/launch');
  await build({
    entryPoints: ['process', 'worker', 'worker-compat'].map((name) => join(launchers, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    packages: 'external',
    // Dynamic imports stay dynamic, because the launchers check the effects of imports.
    splitting: true,
    format: 'esm',
    target: 'es2023',
    logLevel: 'error',
  });
  await build({
    entryPoints: ['worker', 'worker-compat'].map((name) => join(folder, `${name}.js`)),
    outdir: join(folder, 'workers'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    external: ['node:*', 'nodemailer'],
    target: 'es2023',
    logLevel: 'error',
  });
}
