// As `express.test-d.ts`, and with a session that `event.locals.auth()` and pages have.
import type { Session as CoreSession } from '@latchkey/core/types';
import { type DefaultSession, type Session, SvelteKitAuth, type SvelteKitAuthConfig } from '@latchkey/sveltekit';
import type { RequestEvent } from '@sveltejs/kit';
import { exactly } from '../../../packages/core/test/types/assert.ts';

declare module '@latchkey/sveltekit' {
  interface Session {
    user: { id: string; plan: 'free' | 'paid' } & DefaultSession['user'];
  }
  interface User {
    plan?: 'free' | 'paid';
  }
}

export const config: SvelteKitAuthConfig = {
  providers: [],
  callbacks: {
    session({ session, user }) {
      session.user.plan = user.plan ?? 'free';
      return session;
    },
  },
};

declare const event: RequestEvent;
const { auth } = SvelteKitAuth(config);
exactly<'free' | 'paid' | undefined>()((await auth(event))?.user.plan);
exactly<'free' | 'paid' | undefined>()((await event.locals.auth())?.user.plan);
exactly<'free' | 'paid' | undefined>()(({} as App.PageData).session?.user.plan);
exactly<CoreSession>()({} as Session);
