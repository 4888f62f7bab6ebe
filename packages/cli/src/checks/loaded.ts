import type { Found } from '../load/configurations.ts';
import { checkConfiguration } from './configuration.ts';
import { Report, type Results } from './finding.ts';
import { checkProvider } from './providers.ts';
import { checkStore } from './store.ts';

/** Runs the checks that need the configuration. They run in the process of the application. */
export async function checkLoaded(
  found: Found,
  { offline, probe }: { readonly offline: boolean; readonly probe: boolean },
): Promise<Results> {
  const report = new Report();
  checkConfiguration(found, process.env, report);
  if (!offline) {
    await checkStore(found, report);
    // One after the other: the findings are in the order of the configuration, and servers are asked once at a time.
    for (const provider of found.inspection.providers) await checkProvider(provider, { probe }, report);
  }
  return { findings: report.findings, passed: report.passed };
}
