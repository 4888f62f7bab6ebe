import type { Door } from '../flows/doors.ts';
import { type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';

/** The one error that visitors see, for all reasons. */
export const REFUSED = 'WebAuthnVerificationError';

/** Ada has a passkey that was used three times. The browser is another visitor's. */
export async function withAda(door: Door): Promise<PasskeyScene> {
  const app = passkeyScene(door);
  await app.register();
  for (const _ of [1, 2, 3]) await app.enter({ browser: app.visitor() });
  return app;
}
