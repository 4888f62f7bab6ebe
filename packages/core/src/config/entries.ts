import type { Provider } from '../providers/index.ts';
import type { AuthConfig } from '../types.ts';

/** The entries of `providers`; none where it is no list, which the check of the configuration tells, with the remedy. */
export function entriesOf({ providers }: Pick<AuthConfig, 'providers'>): readonly Provider[] {
  return Array.isArray(providers) ? providers : [];
}
