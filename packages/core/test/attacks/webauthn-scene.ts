import type { Door } from '../flows/doors.ts';
import { type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';

/** The error that visitors are told, whatever the reason was. */
export const REFUSED = 'WebAuthnVerificationError';

/** Ada has a passkey that was used three times; somebody else's browser. */
export async function withAda(door: Door): Promise<PasskeyScene> {
  const app = passkeyScene(door);
  await app.register();
  for (const _ of [1, 2, 3]) await app.enter({ browser: app.visitor() });
  return app;
}
