import { Application } from '../load/application.ts';
import { applicationEnv } from '../load/env-files.ts';
import { authFileOf, projectIn } from '../load/project.ts';
import type { Planned } from '../load/protocol.ts';
import { Failure, type Terminal } from '../terminal.ts';

/** Options of {@link migrate}. */
export interface MigrateOptions {
  readonly config?: string | undefined;
  readonly envFile?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly sql?: boolean | undefined;
  readonly check?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Adds what the store lacks. It asks before, and never removes or changes anything. */
export async function migrate(options: MigrateOptions, terminal: Terminal): Promise<0 | 1> {
  const project = projectIn(terminal.cwd);
  const file = authFileOf(project, options.config);
  const env = applicationEnv(project, terminal.env, options.envFile);
  const application = await Application.load(project, env, file);
  try {
    const planned = await application.plan();
    for (const one of planned.duplicates)
      terminal.warn(`not added: unique index on ${one}. Merge or delete these rows.`);
    if (options.sql) {
      for (const { sql } of planned.steps) terminal.print(`${sql};`);
      return 0;
    }
    return await carryOut(application, planned, options, terminal);
  } finally {
    application.end();
  }
}

async function carryOut(
  application: Application,
  planned: Planned,
  { dryRun, check, yes }: MigrateOptions,
  { print, confirm, isInteractive }: Terminal,
): Promise<0 | 1> {
  const { steps } = planned;
  const database = nameOf(planned);
  if (steps.length === 0) {
    print(`${database} lacks nothing.`);
    return planned.duplicates.length > 0 ? 1 : 0;
  }
  print(`${database} lacks:`);
  for (const { adds } of steps) print(`  ${adds}`);
  if (check) return 1;
  if (dryRun) return 0;
  if (!yes) {
    if (!isInteractive) throw new Failure('without a terminal, `migrate` needs --yes. --dry-run lists the additions');
    if (!(await confirm(`Add these to ${database}?`))) {
      print('Nothing was changed.');
      return 1;
    }
  }
  for (const added of await application.apply()) print(`added ${added}`);
  return planned.duplicates.length > 0 ? 1 : 0;
}

function nameOf({ database: { engine, host, name } }: Planned): string {
  const place = host === null ? '' : ` at ${host}`;
  return `${engine} database ${name === null ? '(in memory)' : JSON.stringify(name)}${place}`;
}
