import { readdirSync } from 'node:fs';
import { type Fixture, readFixture } from './fixture.ts';
import type { Factory } from './journey.ts';

const folder = new URL('../../src/providers/', import.meta.url);

/** Files of the folder that describe types only, or hold no provider of a vendor. */
const others = ['credentials', 'index', 'oauth', 'provider-types'];

/** Names of the files that hold a provider of a vendor. */
export const providerNames: readonly string[] = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !others.includes(name));

/** The factory in a provider file. */
export async function factoryOf(name: string): Promise<Factory> {
  const { default: factory } = (await import(new URL(`${name}.ts`, folder).href)) as { default: Factory };
  return factory;
}

/** An OAuth or OIDC provider with its fixture. `broken` says why the fixture is missing. */
export interface Subject {
  readonly name: string;
  readonly factory: Factory;
  readonly fixture: Fixture;
  readonly broken?: unknown;
}

/** The OAuth and OIDC providers. One that cannot be loaded does not keep the others from being tested. */
export async function subjects(): Promise<Subject[]> {
  const loaded = await Promise.all(
    providerNames.map(async (name): Promise<Subject[]> => {
      const factory: Factory = () => ({ id: name, name, type: 'oauth' });
      try {
        const real = await factoryOf(name);
        if (!isOAuth(real)) return [];
        return [{ name, factory: real, fixture: readFixture(name) }];
      } catch (broken) {
        return [{ name, factory, fixture: {} as Fixture, broken }];
      }
    }),
  );
  return loaded.flat();
}

/** Mail and passkeys have tests of their own. Some factories cannot be called without options. */
function isOAuth(factory: Factory): boolean {
  const { type } = factory({ server: 'smtp://localhost', apiKey: 'key' }) as { type: string };
  return type === 'oauth' || type === 'oidc';
}
