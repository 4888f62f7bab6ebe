import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { VERSION } from 'rolldown';
import { type Bundle, installed, type Place, placeOf, writeBundle } from './bundle-package.ts';
import { exitWith } from './problem.mjs';

/** The packages that Node reads as they are. Frameworks bundle the others together with the application. */
const bundles: readonly Bundle[] = [
  {
    name: 'core',
    inline: ['cookie'],
    parts: [
      { name: 'session', of: ['auth.ts'] },
      { name: 'errors', of: ['errors.ts'] },
      // Wanted in many places.
      {
        name: 'common',
        of: ['config/need.ts', 'config/redact.ts', 'crypto/decoding.ts', 'crypto/jws.ts', 'crypto/hash.ts'],
      },
      { name: 'look', of: ['views/theme.ts', 'views/html.ts'] },
      {
        name: 'act',
        of: [
          ...['act', 'report', 'signin', 'one-time', 'complete'].map((action) => `actions/${action}.ts`),
          ...['settle', 'email/address'].map((step) => `identity/${step}.ts`),
          'config/check-providers.ts',
          'wire/sealed-cookie.ts',
        ],
      },
      { name: 'oauth', of: ['identity/oauth/begin.ts', 'actions/callback-oauth.ts'] },
      { name: 'webauthn', of: ['actions/webauthn-options.ts', 'actions/callback-webauthn.ts'] },
      { name: 'pages', of: ['signin', 'signout', 'error', 'verify-request'].map((page) => `actions/${page}-page.ts`) },
    ],
  },
  { name: 'express', inline: [] },
  { name: 'adapter-sql', inline: ['kysely'] },
  { name: 'adapter-redis', inline: [], node: true },
];

// Their JavaScript; the declarations are the compiler's. What is used together is in one file: a start reads a few files
// instead of one for each module (decisions/27).
await exitWith(async () => {
  for (const bundle of bundles) await renew(bundle, placeOf(bundle));
  return 0;
});

/** Nothing is done where the last build was made of the same, and is there as it was made. */
async function renew(bundle: Bundle, place: Place): Promise<void> {
  const stamp = join(place.output, '.bundle');
  const wanted = inputs(bundle, place);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === `${wanted} ${outputs(place)}`) return;
  rmSync(stamp, { force: true });
  await writeBundle(bundle, place);
  writeFileSync(stamp, `${wanted} ${outputs(place)}`);
}

/** The files of a dependency's version do not change. */
function inputs({ inline }: Bundle, { folder, source }: Place): string {
  const manifests = [folder, ...inline.map(installed)].map((each) => join(each, 'package.json'));
  const scripts = globSync('bundle*.ts', { cwd: import.meta.dirname }).map((name) => join(import.meta.dirname, name));
  const files = globSync('**/*.ts', { cwd: source }).map((name) => join(source, name));
  return hashOf(folder, [...scripts, ...manifests, ...files]);
}

/** Another build, of an older version say, may have left others. */
function outputs({ output }: Place): string {
  const files = globSync(['**/*.js', 'licenses/*'], { cwd: output }).map((name) => join(output, name));
  return hashOf(output, files);
}

function hashOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256').update(VERSION);
  for (const file of [...files].sort()) hash.update(`\0${relative(folder, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}
