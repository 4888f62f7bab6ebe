import { TanStackAuth } from '@latchkey/tanstack-start';
import { bindingConfig } from '@latchkey/testing/binding-application';
import { createServerEntry } from '@tanstack/react-start/server';
import { describe, expect, it } from 'vitest';

const own = TanStackAuth(bindingConfig(), {});

/** Returns what a call within a request rejects with. */
async function errorOf(
  call: () => Promise<unknown>,
  { handler }: Pick<typeof own, 'handler'> = own,
  url = 'https://a,b/',
): Promise<unknown> {
  let caught: unknown;
  const next = async (): Promise<Response> => {
    await call().catch((error: unknown) => {
      caught = error;
    });
    return new Response();
  };
  await createServerEntry({ fetch: (request) => handler({ request, next }) }).fetch(new Request(url));
  return caught;
}

describe('TanStackAuth', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['auth', () => own.auth()],
    ['signIn', () => own.signIn('credentials', { password: 'password' })],
    ['signOut', () => own.signOut()],
    ['update', () => own.update({})],
    ['pendingMail', () => own.pendingMail()],
    ['requireSession', () => own.requireSession()],
    ['sessions', () => own.sessions().list()],
    ['account', () => own.account().list()],
    ['tokens', () => own.tokens().list()],
  ])('rejects with status 400 if %s is called for an invalid host, and hides the message', async (_name, call) => {
    expect(await errorOf(call)).toMatchObject({ statusCode: 400, message: 'Bad Request' });
  });

  it('hides the problems of the configuration, and keeps the type of a failed sign-in', async () => {
    const broken = TanStackAuth(bindingConfig({ problem: true }), {});
    const url = 'http://localhost:3000/';
    const hidden = { statusCode: 500, message: 'Internal Server Error' };
    expect(await errorOf(() => broken.auth(), broken, url)).toMatchObject(hidden);
    expect(await errorOf(() => broken.update({}), broken, url)).toMatchObject(hidden);
    const wrong = await errorOf(() => own.signIn('credentials', { password: 'wrong' }), own, url);
    expect(wrong).toMatchObject({ name: 'CredentialsSignin', message: expect.not.stringContaining('Internal') });
  });
});
