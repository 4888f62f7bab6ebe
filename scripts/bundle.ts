import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { VERSION } from 'rolldown';
import { type Bundle, installed, type Place, placeOf, writeBundle, writtenFiles } from './bundle-package.ts';
import { exitWith } from './run.mjs';
import { root } from './setup.mjs';

/** The packages that Node.js loads. Frameworks bundle the others with the application. */
const bundles: readonly Bundle[] = [
  {
    name: 'core',
    inline: ['cookie'],
    parts: [
      { name: 'errors', of: ['errors.ts'] },
      // Record stores of other packages need it, and no session.
      { name: 'record-rows', of: ['store/session-records.ts'] },
      // `@latchkey/core/jwt` needs no more than these two.
      {
        name: 'tokens',
        of: ['bounded-map.ts', 'crypto/seal.ts', 'crypto/hash.ts', 'wire/cookie-chunks.ts', 'wire/cookie-table.ts'],
      },
      {
        name: 'session',
        of: ['auth.ts', 'inspect.ts', 'config/assert-config.ts', 'identity/webauthn/related-origins.ts'],
      },
      { name: 'store', of: ['store/store.ts'] },
      { name: 'database', of: ['session/database.ts'] },
      // Records of sessions, rate limits and mails need them.
      { name: 'visitor', of: ['entry/agent.ts', 'rate-limit/network.ts'] },
      { name: 'records', of: ['session/facts.ts', 'session/jwt-records.ts', 'session/list.ts'] },
      // Sessions of other libraries.
      { name: 'legacy', of: ['session/legacy.ts'] },
      // Providers that send mail over HTTP need no more.
      { name: 'fetch', of: ['wire/bounded-fetch.ts'] },
      { name: 'texts', of: ['messages/en.ts'] },
      { name: 'look', of: ['views/theme.ts', 'views/html.ts'] },
      {
        name: 'act',
        of: [
          'actions/sign-in.ts',
          'linking/accounts.ts',
          'linking/sign-in.ts',
          'identity/email/address.ts',
          'config/check-providers.ts',
          'pending/pending.ts',
          'wire/sealed-cookie.ts',
        ],
      },
      { name: 'oauth', of: ['actions/oauth.ts'] },
      { name: 'webauthn', of: ['actions/webauthn.ts'] },
      { name: 'pages', of: ['actions/pages.ts'] },
      { name: 'account', of: ['actions/account.ts'] },
      { name: 'provider-tokens', of: ['tokens/visitor.ts', 'tokens/sign-in.ts'] },
    ],
  },
  { name: 'astro', inline: [] },
  { name: 'express', inline: [] },
  { name: 'fastify', inline: [] },
  { name: 'h3', inline: [] },
  { name: 'hono', inline: [] },
  { name: 'react-router', inline: [] },
  { name: 'adapter-sql', inline: ['kysely'] },
  { name: 'adapter-redis', inline: [], node: true },
  { name: 'migrate', inline: [] },
];

// Builds the JavaScript; the compiler writes the declarations. Modules that are used together are in one file, so that
// a start reads few files (decisions/27).
await exitWith(async () => {
  for (const bundle of bundles) await renew(bundle, placeOf(bundle));
  return 0;
});

/** Builds a package, unless its inputs and its output are unchanged since the last build. */
async function renew(bundle: Bundle, place: Place): Promise<void> {
  const stamp = join(place.output, '.bundle');
  const wanted = inputs(bundle, place);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === `${wanted} ${outputs(place)}`) return;
  rmSync(stamp, { force: true });
  await writeBundle(bundle, place);
  writeFileSync(stamp, `${wanted} ${outputs(place)}`);
}

/** Returns a hash of all inputs of a build. Each dependency counts with its `package.json`, which has the version. */
function inputs({ inline }: Bundle, { folder, source }: Place): string {
  // The `package.json` of the root has the address of the documentation.
  const manifests = [root, folder, ...inline.map(installed)].map((each) => join(each, 'package.json'));
  const scripts = globSync('bundle*.ts', { cwd: import.meta.dirname }).map((name) => join(import.meta.dirname, name));
  const files = globSync('**/*.ts', { cwd: source }).map((name) => join(source, name));
  return hashOf(folder, [...scripts, ...manifests, ...files]);
}

/** Returns a hash of the output, which another build may have changed. */
function outputs(place: Place): string {
  const { output } = place;
  const names = [...writtenFiles(place), ...globSync('licenses/*', { cwd: output })];
  return hashOf(
    output,
    names.map((name) => join(output, name)),
  );
}

function hashOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256').update(VERSION);
  for (const file of [...files].sort()) hash.update(`\0${relative(folder, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}
