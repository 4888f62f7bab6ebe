import type { Env, KitEvent, SvelteKitAuthConfig } from '@latchkey/sveltekit';

/** The settings by the test that runs this application. */
export interface Scene {
  config(event: KitEvent): SvelteKitAuthConfig | Promise<SvelteKitAuthConfig>;
  /** For the second use of the library, in `routes/other`. */
  env?: Env | undefined;
  /** The validations and handlers of the remote functions that have run, with the visitor. */
  readonly calls: string[];
}

export function scene(): Scene {
  return (globalThis as unknown as { kitScene: Scene }).kitScene;
}
