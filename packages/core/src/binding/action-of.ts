import { providerOf } from '../config/providers.ts';
import type { Settings } from '../config/settings.ts';
import type { AuthAction } from '../types.ts';

/** The action that a sign-in with this provider asks; `undefined` when there is no such provider. */
export function actionOf(settings: Settings, provider: string, base: string): AuthAction | undefined {
  const known = providerOf(settings, provider, base);
  return known && (known.type === 'credentials' ? 'callback' : 'signin');
}
