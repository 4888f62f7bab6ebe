/** A statement that tests of another package prove. */
export interface Elsewhere {
  readonly section: string;
  readonly statement: string;
  /** From the root of the repository. */
  readonly file: string;
}

export const elsewhere: readonly Elsewhere[] = [
  {
    section: 'What the service does',
    statement: 'a server-framework binding: `ExpressAuth(config)` mounted on a path pattern `/auth/*`',
    file: 'packages/express/test/mounts.test.ts',
  },
  {
    section: 'What the service does',
    statement: 'a full-stack React-framework binding: `handlers`, `auth`, `signIn`, `signOut`, `unstable_update`',
    file: 'packages/next/test/built/shop.test.ts',
  },
  {
    section: 'What the service does',
    statement: 'a component-framework binding: `handle`, `signIn`, `signOut`, components and client-side functions',
    file: 'examples/sveltekit/test/browser/sign-in.test.ts',
  },
  {
    section: 'Application configuration',
    statement: 'basePath is `/api/auth` in the full-stack binding',
    file: 'packages/next/test/handlers.test.ts',
  },
  {
    section: 'Programmatic operations',
    statement:
      '`signIn`, `signOut`, `auth`, `unstable_update` of the bindings; `signIn` throws an `AuthError` on failure',
    file: 'packages/core/test/binding/sign-in.test.ts',
  },
  {
    section: 'Callbacks',
    statement: '`authorized` (full-stack binding only)',
    file: 'packages/next/test/proxy.test.ts',
  },
  {
    section: 'Authentication',
    statement: 'route protection: in the component-framework binding in server load functions or a request hook',
    file: 'packages/sveltekit/test/session.test.ts',
  },
  {
    section: 'Programmatic operations',
    statement: '`getSession(req, config)` in an application',
    file: 'packages/express/test/session.test.ts',
  },
  {
    section: 'Authentication',
    statement: 'behind a proxy, the proxy must be trusted so that HTTPS is detected',
    file: 'packages/express/test/proxy.test.ts',
  },
  {
    section: 'Adapter interface',
    statement: 'inputs and outputs of all methods, of any adapter',
    file: 'packages/testing/test/memory-adapter-suite.test.ts',
  },
  {
    section: 'Reference data-store schema',
    statement: 'a reference adapter stores records in six tables, each with all fields optional and nullable',
    file: 'packages/adapter-sql/test/migrate.test.ts',
  },
  {
    section: 'What the service does',
    statement: 'about 80 built-in provider ids, each with a whole sign-in',
    file: 'packages/core/test/providers/conformance.test.ts',
  },
];
