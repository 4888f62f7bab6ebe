import type { Browser, FakeProvider } from '@latchkey/testing';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import type { Door } from '../flows/doors.ts';
import { fakeProvider, oidc, type Scene, type SceneOptions, scene } from '../flows/scene.ts';

/** An application with one OpenID provider of its own. */
export function site(
  door: Door,
  options: Partial<OIDCConfig<Profile>> = {},
  config: Partial<AuthConfig> = {},
  sceneOptions: SceneOptions = {},
): { readonly fake: FakeProvider; readonly app: Scene } {
  const fake = fakeProvider();
  return { fake, app: scene(door, { providers: [oidc(fake, options)], ...config }, sceneOptions) };
}

/** The token that the forms of a browser carry. */
export async function csrfTokenOf(browser: Browser): Promise<string> {
  return (await browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
}
