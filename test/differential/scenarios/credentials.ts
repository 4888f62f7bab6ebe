import type { Kit } from '../kit.ts';
import type { Scenario, Visit } from '../visit.ts';

const withAuthorize =
  (authorize: (kit: Kit) => () => unknown): NonNullable<Scenario['config']> =>
  (kit) => ({ providers: [kit.credentials({ authorize: authorize(kit) })] });

const submit = (visit: Visit, password: string, callbackUrl = '/inside'): Promise<unknown> =>
  visit.post('/auth/callback/credentials', { name: 'grace', password, callbackUrl });

/** Sign-ins with what the application checks itself. */
export const credentials: readonly Scenario[] = [
  {
    title: 'right credentials, the session, the sign-out',
    async visit(visit) {
      await submit(visit, 'cobol');
      await visit.get('/auth/session');
      await visit.post('/auth/signout');
    },
  },
  { title: 'wrong credentials', visit: (visit) => submit(visit, 'fortran') },
  {
    title: 'credentials as JSON',
    visit: (visit) => visit.post('/auth/callback/credentials', { name: 'grace', password: 'cobol' }, { json: true }),
  },
  {
    title: 'credentials refused with a code of the application',
    config: withAuthorize(({ library }) => () => {
      class Locked extends library.CredentialsSignin {
        override code = 'locked';
      }
      throw new Locked();
    }),
    visit: (visit) => submit(visit, 'cobol'),
  },
  {
    title: 'an authorize function that throws',
    config: withAuthorize(() => () => {
      throw new Error('the directory is down');
    }),
    visit: (visit) => submit(visit, 'cobol'),
  },
  {
    title: 'an authorize function that returns a user without an id',
    config: withAuthorize(() => () => ({ name: 'No Id' })),
    async visit(visit) {
      await submit(visit, 'cobol');
      await visit.get('/auth/session');
    },
  },
  {
    title: 'an authorize function that returns a numeric id',
    config: (kit) => ({
      providers: [kit.credentials({ authorize: () => ({ id: 7, name: 'Seven' }) })],
      callbacks: kit.callbacks(),
      events: kit.events(),
    }),
    visit: (visit) => submit(visit, 'cobol'),
  },
  {
    title: 'right credentials that the signIn callback refuses',
    config: (kit) => ({ providers: [kit.credentials()], callbacks: { signIn: () => false } }),
    visit: (visit) => submit(visit, 'cobol'),
  },
  {
    title: 'right credentials that the signIn callback sends elsewhere',
    config: (kit) => ({ providers: [kit.credentials()], callbacks: { signIn: () => '/second-factor' } }),
    visit: (visit) => submit(visit, 'cobol'),
  },
  {
    title: 'right credentials with the return address of a stranger',
    visit: (visit) => submit(visit, 'cobol', 'https://stranger.test/'),
  },
];
