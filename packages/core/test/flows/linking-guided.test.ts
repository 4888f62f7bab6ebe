import { describe, expect, it } from 'vitest';
import { guidedScene, QUESTION, SIGN_IN_FIRST, stranger, verified } from './linking-scene.ts';
import { leadsTo, startsSession } from './scene.ts';

describe.each(['jwt', 'database'] as const)('guided linking with %s sessions', (strategy) => {
  it('a user who asks adds an account', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    const started = await app.startSignIn('second', { callbackUrl: '/home', add: 'true' });
    const done = await app.comeBack(started, stranger);
    expect([leadsTo(done), startsSession(done)]).toEqual(['/home', true]);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
    expect(app.events.map(([name]) => name)).toEqual(['createUser', 'linkAccount', 'signIn', 'linkAccount', 'signIn']);
  });

  it('signed out, a taken address that is verified is offered to its user, who is asked after the sign-in', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    await app.signOut();
    const offered = await app.signInSecond(verified);
    expect([leadsTo(offered), startsSession(offered)]).toEqual([SIGN_IN_FIRST, false]);
    expect(app.accountsOf()).toEqual(['fake:ada']);
    const question = await app.question(await app.signInAda());
    expect(question.text()).toContain(
      'Add <bdi>Second</bdi> (<bdi>ada@example.com</bdi>) to <bdi>ada@example.com</bdi>?',
    );
    const started = await app.answer(question, 'Add Second');
    expect(started.redirect?.searchParams.get('login_hint')).toBe('ada@example.com');
    const done = await app.comeBack(started, verified);
    expect(leadsTo(done)).toBe('/home');
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:ada-2']);
    expect(app.hasOffer()).toBe(false);
  });

  it('signed in, an account is offered at once', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    const offered = await app.signInSecond(stranger);
    expect([leadsTo(offered), startsSession(offered)]).toEqual([QUESTION, false]);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    const started = await app.answer(await app.question(offered), 'Add Second');
    await app.comeBack(started, stranger);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
  });
});
