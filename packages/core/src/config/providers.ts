import type { Provider } from '../providers/index.ts';
import { entriesOf } from './entries.ts';
import { mergedProvider } from './merged-provider.ts';
import { type NormalProvider, normalProvider } from './provider.ts';
import type { Settings } from './settings.ts';

/** All providers, for one origin and mount path. */
export function providersOf({ config }: Settings, base: string): readonly NormalProvider[] {
  return entriesOf(config).map((entry) => normalProvider(entry, base, config.redirectProxyUrl));
}

/** One provider; `undefined` when there is none of this id. */
export function providerOf(settings: Settings, id: string, base: string): NormalProvider | undefined {
  const entry = idsOf(settings).get(id);
  return entry && normalProvider(entry, base, settings.config.redirectProxyUrl);
}

const ids = new WeakMap<Settings, ReadonlyMap<string, Provider>>();

function idsOf(settings: Settings): ReadonlyMap<string, Provider> {
  const known = ids.get(settings);
  if (known) return known;
  const made = new Map(entriesOf(settings.config).map((entry) => [mergedProvider(entry).id, entry]));
  ids.set(settings, made);
  return made;
}
