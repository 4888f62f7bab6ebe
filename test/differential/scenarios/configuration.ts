import type { Kit } from '../kit.ts';
import type { Scenario } from '../visit.ts';

const WRONG: Readonly<Record<string, (kit: Kit) => object>> = {
  'no secret': (kit) => ({ providers: [kit.idp()], secret: undefined }),
  'an empty list of secrets': (kit) => ({ providers: [kit.idp()], secret: [] }),
  'a host that is not trusted': (kit) => ({ providers: [kit.idp()], trustHost: undefined }),
  'a provider without issuer and endpoints': (kit) => ({ providers: [kit.idp({ issuer: undefined })] }),
  'credentials without authorize': (kit) => ({ providers: [kit.credentials({ authorize: undefined })] }),
  'database sessions without an adapter': (kit) => ({ providers: [kit.idp()], session: { strategy: 'database' } }),
  'an adapter without its methods': (kit) => ({ providers: [kit.idp()], adapter: { getUser: () => null } }),
};

/** Configurations that cannot work. */
export const configuration: readonly Scenario[] = [
  ...Object.entries(WRONG).map(
    ([title, config]): Scenario => ({
      title,
      config,
      async visit(visit) {
        await visit.get('/auth/signin');
        await visit.get('/auth/error');
        await visit.get('/auth/providers');
        await visit.open('/auth/signin/idp', { method: 'POST', body: new URLSearchParams({ csrfToken: 'x' }) });
      },
    }),
  ),
  {
    title: 'a wrong configuration with an error page of the application',
    config: (kit) => ({ providers: [kit.idp()], secret: undefined, pages: { error: '/oops' } }),
    async visit(visit) {
      await visit.get('/auth/signin');
      await visit.get('/auth/signin?callbackUrl=/oops');
    },
  },
];
