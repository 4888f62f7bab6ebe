import { signIn, signOut, watchSession } from '@latchkey/sveltekit/client';
import { signIn as signInWithPasskey } from '@latchkey/sveltekit/webauthn';
import { loads } from './navigation.ts';

Object.assign(globalThis, { app: { signIn, signInWithPasskey, signOut, watchSession, loads } });
