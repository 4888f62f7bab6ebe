import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Auth } from '@latchkey/core';
import { encode } from '@latchkey/core/jwt';
import type { AuthConfig } from '@latchkey/core/types';
import { type Figure, measure, type Subject, worked } from '../sessions/measure.ts';
import { printTable } from '../sessions/table.ts';

type Provider = AuthConfig['providers'][number];

/** Ready providers that need nothing but a client id, at most so many. */
async function ready(most: number): Promise<Provider[]> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@latchkey/core/providers/github')));
  const found: Provider[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    if (found.length === most) break;
    const { default: factory } = await import(`@latchkey/core/providers/${file.slice(0, -3)}`);
    if (typeof factory !== 'function') continue;
    const provider = factory({
      clientId: 'id',
      clientSecret: 'secret',
      issuer: 'https://issuer.example/',
      server: 'smtp://localhost',
    });
    if (['oauth', 'oidc'].includes(provider.type)) found.push(provider);
  }
  return found;
}

const secret = 'a-secret-for-measurements-of-more-than-32-characters';
const token = await encode({ token: { sub: '1', name: 'Ada' }, secret, salt: 'authjs.session-token' });
const headers = { cookie: `authjs.session-token=${token}` };

function looking(name: string, action: string, providers: Provider[]): Subject {
  const config: AuthConfig = { providers, secret, trustHost: true, basePath: '/auth' };
  const look = async (): Promise<void> => {
    const answer = await Auth(new Request(`http://localhost:3000/auth/${action}`, { headers }), config);
    if (answer.status !== 200 || !(await answer.json())) throw new Error(`${name} did not work`);
  };
  return { name, look, people: 1 };
}

const sets = new Map<string, Provider[]>();
for (const most of [1, 10, 100]) {
  const providers = await ready(most);
  sets.set(`${providers.length} provider${most === 1 ? '' : 's'}`, providers);
}
for (const action of ['session', 'providers']) {
  const subjects = [...sets].map(([name, providers]) => looking(name, action, providers));
  const figures: Figure[] = await measure(subjects, worked, 3);
  printTable(`GET ${action}, JWT sessions`, figures);
}
