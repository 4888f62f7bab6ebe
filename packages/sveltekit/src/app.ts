import type { Session } from '@latchkey/core/types';

/** What `handle` puts on `event.locals`. */
export interface AuthLocals {
  /**
   * The session of whoever asks, `null` without one. Read once per request, and extended where that is due.
   *
   * @throws {AuthError} when it cannot be told whether there is one, for example because the configuration is wrong.
   */
  auth(): Promise<Session | null>;
  /** @deprecated Use `auth`. */
  getSession(): Promise<Session | null>;
}

/** What pages get when a `load` function returns `{ session: await locals.auth() }`. */
export interface AuthPageData {
  session?: Session | null | undefined;
}

// Inherited, not declared as members, so that an application may narrow them: `interface Locals { auth: () => ReturnType<typeof auth> }`.
declare global {
  namespace App {
    interface Locals extends AuthLocals {}
    interface PageData extends AuthPageData {}
    interface Platform {}
  }
}
