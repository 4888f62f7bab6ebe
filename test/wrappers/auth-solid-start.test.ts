import type { CredentialsSignin } from '@latchkey/core/errors';
import Credentials from '@latchkey/core/providers/credentials';
import type { AuthConfig, Session } from '@latchkey/core/types';
import { describe, expect, it } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { signsInAndOut, startApplication, type Wrapper } from './journey.ts';

type Handle = (event: { request: Request }) => Promise<Response | undefined>;

/** The parts of the wrapper that its documentation shows. */
interface SolidStart {
  SolidAuth(config: AuthConfig & { prefix?: string }): { GET: Handle; POST: Handle };
  getSession(request: Request, options: AuthConfig): Promise<Session | null>;
  CredentialsSignin: typeof CredentialsSignin;
}

const wrapper = await loadPeer<SolidStart>('auth-solid-start', '@auth/solid-start');

/** Its handlers, called with events as SolidStart makes them. */
const solid: Wrapper = {
  basePath: '/api/auth',
  start(config) {
    const { GET, POST } = wrapper.SolidAuth(config);
    return async (request) => {
      if (new URL(request.url).pathname === '/me') {
        const session = await wrapper.getSession(request, config);
        return session ? Response.json({ email: session.user?.email }) : new Response('Unauthorized', { status: 401 });
      }
      const answer = await (request.method === 'POST' ? POST : GET)({ request });
      return answer ?? new Response(null, { status: 404 });
    };
  },
};

describe('@auth/solid-start', () => {
  signsInAndOut(solid);

  it('re-exports errors that the core recognizes', async () => {
    class Locked extends wrapper.CredentialsSignin {
      override code = 'locked';
    }
    const refuse = () => {
      throw new Locked();
    };
    const app = await startApplication(solid, { providers: [Credentials({ authorize: refuse })] });
    const page = await app.post('callback/credentials', { password: 'right' });
    expect(page.redirect?.searchParams.get('code')).toBe('locked');
  });
});
