import { checkEnvironment } from '../checks/environment.ts';
import { type Finding, Report } from '../checks/finding.ts';
import { checkMount, mountsIn } from '../checks/mount.ts';
import { checkPort } from '../checks/port.ts';
import { checkSite } from '../checks/site.ts';
import { checkVersions } from '../checks/versions.ts';
import { Application } from '../load/application.ts';
import { applicationEnv } from '../load/env-files.ts';
import { authFileOf, projectIn } from '../load/project.ts';
import type { Loaded } from '../load/protocol.ts';
import { redactor } from '../load/secrets.ts';
import { Failure, type Terminal } from '../terminal.ts';
import { doctorJson, doctorText } from './doctor-output.ts';

/** Options of {@link doctor}. */
export interface DoctorOptions {
  readonly config?: string | undefined;
  readonly envFile?: string | undefined;
  readonly url?: string | undefined;
  readonly json?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly offline?: boolean | undefined;
  readonly probeClients?: boolean | undefined;
}

/** The result of all checks. */
export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly passed: number;
  /** The callback URL of each provider, to register it there. */
  readonly callbackUrls: Readonly<Record<string, string>>;
}

/** Runs the checks, and prints what they found. */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<0 | 1> {
  const diagnosis = await diagnose(options, terminal);
  const isBad = ({ level }: Finding): boolean => level === 'error' || options.strict === true;
  const ok = !diagnosis.findings.some(isBad);
  const lines = options.json ? [doctorJson(diagnosis, ok)] : doctorText(diagnosis, terminal.columns);
  const redact = redactor(terminal.env);
  for (const line of lines) terminal.print(redact(line));
  return ok ? 0 : 1;
}

async function diagnose(options: DoctorOptions, { cwd, env }: Terminal): Promise<Diagnosis> {
  const site = siteOf(options);
  if (options.offline && options.probeClients) throw new Failure('--probe-clients and --offline exclude each other');
  const project = projectIn(cwd);
  const file = authFileOf(project, options.config);
  const applied = applicationEnv(project, env, options.envFile);
  const report = new Report();
  const application = await Application.load(project, applied, file);
  try {
    const { loaded } = application;
    report.join(await application.check({ offline: options.offline === true, probe: options.probeClients === true }));
    const ids = loaded.providers.map(({ id }) => id);
    checkEnvironment(project, applied, ids, report);
    checkPort(project, applied.values, report);
    const isInUrl = /^https?:\/\/[^/]+\/./i.test(applied.values['AUTH_URL'] ?? '');
    const path = checkMount(loaded.basePath, mountsIn(project), isInUrl, report);
    checkVersions(project, report);
    if (site) await checkSite(site, loaded, report);
    return { findings: sorted(report.findings), passed: report.passed, callbackUrls: callbackUrlsOf(loaded, path) };
  } finally {
    application.end();
  }
}

function siteOf({ url, offline }: DoctorOptions): URL | undefined {
  if (url === undefined) return undefined;
  if (offline) throw new Failure('--url and --offline exclude each other');
  const site = URL.parse(url);
  if (site && /^https?:$/.test(site.protocol)) return site;
  throw new Failure(`--url must be an http or https URL: ${JSON.stringify(url)}`);
}

/** Errors first. */
function sorted(findings: readonly Finding[]): Finding[] {
  return [...findings.filter(({ level }) => level === 'error'), ...findings.filter(({ level }) => level === 'warning')];
}

/** @param path Where the handler is mounted. */
function callbackUrlsOf({ providers, basePath }: Loaded, path: string): Record<string, string> {
  return Object.fromEntries(
    providers.flatMap(({ id, callbackUrl }) =>
      callbackUrl === null ? [] : [[id, callbackUrl.replace(`${basePath}/callback/`, `${path}/callback/`)] as const],
    ),
  );
}
