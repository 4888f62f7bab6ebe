import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { Failure, messageOf, type Terminal } from './terminal.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * Runs a command, and returns the exit code. 0: no error was found. 1: errors were found, migrations are pending with
 * `--check`, or a target file exists. 2: wrong usage, or the configuration cannot be loaded.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const held: { code: 0 | 1 | 2 } = { code: 0 };
  const program = programOf(terminal, (code) => {
    held.code = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return held.code;
  } catch (error) {
    // Commander has printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof Failure)) {
      terminal.warn(`error: ${messageOf(error)}`);
      return 2;
    }
    terminal.warn(`error: ${error.message}`);
    return error.exitCode;
  }
}

/** The end of `--help` of commands that load the application. */
const RUNS_CODE = '\nThis command runs the code of your application: it imports the file with its configuration.';

function programOf(terminal: Terminal, end: (code: 0 | 1 | 2) => void): Command {
  const program = new Command('latchkey')
    .description('Checks, prepares and migrates an application that uses Latchkey.')
    .version(version, '-v, --version')
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    })
    .exitOverride()
    .showHelpAfterError('Run `latchkey --help` for the list of commands.');
  const command = (name: string, description: string): Command =>
    program.command(name).description(description).exitOverride();
  const loading = (name: string, description: string): Command =>
    command(name, description)
      .option('-c, --config <file>', 'the file with the configuration. Default: found by its usual name')
      .option('--env-file <file>', 'read environment variables from this file, in addition to the usual ones')
      .addHelpText('after', RUNS_CODE);

  command('secret', 'print a secret, or add it to a file')
    .option('-w, --write <file>', 'add AUTH_SECRET to this file instead of printing it')
    .option('--rotate', 'with --write: add a newer AUTH_SECRET_<n>; the older ones still open sessions')
    .action(async (options) => end((await import('./commands/secret.ts')).secret(options, terminal)));

  command('init', 'write the files of a first sign-in')
    .argument('[framework]', 'its name, such as next, hono or astro; node for others. Default: found in package.json')
    .option('--store <engine>', 'sqlite, postgres, mysql or redis. Default: no store')
    .option('--install', 'install the packages with npm')
    .option('--dry-run', 'print the names of the files, and write nothing')
    .action(async (framework, options) => end((await import('./commands/init.ts')).init(framework, options, terminal)));

  loading('doctor', 'check configuration, environment, store and providers')
    .option('--url <site>', 'also check the running site at this URL')
    .option('--json', 'print the result as JSON')
    .option('--strict', 'count warnings as errors')
    .option('--offline', 'send no request, and do not open the store')
    .option('--probe-clients', 'post an invalid code to each provider, to test client id and secret')
    .action(async (options) => end(await (await import('./commands/doctor.ts')).doctor(options, terminal)));

  loading('migrate', 'add what the store lacks: tables, columns and indexes')
    .addOption(new Option('--dry-run', 'list the additions, and change nothing').conflicts(['sql', 'check']))
    .addOption(new Option('--sql', 'print the statements, and change nothing').conflicts('check'))
    .option('--check', 'exit with 1 if an addition is pending; change nothing')
    .option('-y, --yes', 'do not ask. Required without a terminal')
    .action(async (options) => end(await (await import('./commands/migrate.ts')).migrate(options, terminal)));

  loading('explain', 'say why a request has no session, or is refused')
    .option('--url <site>', 'the URL of the site. Default: AUTH_URL, else the Host header')
    .addHelpText(
      'after',
      'The standard input is an HTTP request, or a Cookie header: do not write cookies in the shell.',
    )
    .action(async (options) => end(await (await import('./commands/explain.ts')).explain(options, terminal)));

  command('providers', 'list the providers, or say how to set one up')
    .argument('[id]', 'the id of a provider, such as github')
    .option('--origin <url>', 'the origin of your site', 'http://localhost:3000')
    .option('--base-path <path>', 'where the actions are. Default: /api/auth for Next.js, otherwise /auth')
    .action(async (id, options) => end((await import('./commands/providers.ts')).providers(id, options, terminal)));
  return program;
}
