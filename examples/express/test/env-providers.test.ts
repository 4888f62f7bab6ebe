import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Browser } from '@latchkey/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort, startDemo, testFolder } from './demo.ts';

const folder = fileURLToPath(new URL('../../../packages/core/test/providers/fixtures/', import.meta.url));
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
/** The file name of one provider differs from its id. */
const idOf = (name: string): string => (name === 'ory-hydra' ? 'hydra' : name);
const variable = (name: string): string => idOf(name).toUpperCase().replaceAll('-', '_');

async function shownWith(env: Record<string, string>): Promise<string[]> {
  const demo = await startDemo(await freePort(), testFolder(), env);
  onTestFinished(async () => void (await demo.stop('SIGKILL')));
  const providers = await new Browser(fetch, { origin: demo.origin }).get('/auth/providers');
  return Object.keys(providers.json<object>()).filter(
    (id) => !['demo', 'nodemailer', 'credentials', 'passkey'].includes(id),
  );
}

describe('the demo', () => {
  it('has only its own providers by default', async () => {
    expect(await shownWith({})).toEqual([]);
  });

  it('enables each built-in provider whose environment variables are set', async () => {
    const env = names.flatMap((name) => [
      [`AUTH_${variable(name)}_ID`, 'id'],
      [`AUTH_${variable(name)}_SECRET`, 'secret'],
      [`AUTH_${variable(name)}_ISSUER`, 'https://issuer.example'],
    ]);
    const shown = await shownWith(Object.fromEntries(env));
    expect(shown.toSorted()).toEqual(names.map(idOf).toSorted());
  });

  it('does not enable a provider without variables, or with an empty one', async () => {
    expect(await shownWith({ AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret', AUTH_GOOGLE_ID: '' })).toEqual([
      'github',
    ]);
  });
});
