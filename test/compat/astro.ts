import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contractFeatures, contractStart } from '../../packages/astro/test/contract-start.ts';
import { clientBrowser } from '../chromium.ts';

const sources = join(import.meta.dirname, '../../packages/astro/test/contract');

/**
 * Runs the suite of the bindings with an earlier version of Astro.
 *
 * @param name Such as `Astro 6`.
 * @param compat The folder in which this version is installed.
 */
export function testEarlierAstro(name: string, compat: string): void {
  const folder = join(compat, 'application');
  // A copy beside the installed Astro resolves that version. The output of the last build stays.
  beforeAll(() => {
    rmSync(join(folder, 'src'), { recursive: true, force: true });
    for (const part of ['astro.config.mjs', 'package.json', 'src'])
      cpSync(join(sources, part), join(folder, part), { recursive: true });
  });
  bindingSuite(
    { name, start: contractStart(folder), launchBrowser: clientBrowser, features: contractFeatures },
    { describe, it, afterAll },
  );
}
