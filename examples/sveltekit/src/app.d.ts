import type { auth } from './auth.ts';

declare global {
  namespace App {
    /** What `callbacks.session` returns is what pages get. */
    interface Locals {
      auth: () => ReturnType<typeof auth>;
    }
  }
}
