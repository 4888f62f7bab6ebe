import { createServerFn } from '@tanstack/react-start';
import { auth, signOut } from './auth.server.ts';
import { guard } from './guard.ts';

/** Server functions, for the tests of this binding alone. */
export const guardedName = createServerFn()
  .middleware([guard])
  .handler(({ context }) => String(context.session?.user?.name));

export const visitorName = createServerFn().handler(async () => String((await auth())?.user?.name));

export const leave = createServerFn({ method: 'POST' }).handler(async () => {
  await signOut({ redirectTo: '/session' });
});
