import type { auth } from './auth.ts';

declare global {
  namespace App {
    /** The return type of `callbacks.session` is the type of the session in pages. */
    interface Locals {
      auth: () => ReturnType<typeof auth>;
    }
  }
}
