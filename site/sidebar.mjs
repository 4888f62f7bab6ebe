/** The sections of the site, in the order of a reader's first weeks. */
export const sidebar = [
  {
    label: 'Start',
    items: [
      'start/demo',
      'start/nextjs',
      'start/sveltekit',
      'start/express',
      'start/hono',
      'start/node',
      'start/runtimes',
    ],
  },
  {
    label: 'Sign-in',
    items: [
      'oidc-provider',
      'company-sign-in',
      'email-links',
      'passkeys',
      'passwords',
      'sign-in-page',
      'link-accounts',
    ].map(guide),
  },
  {
    label: 'Your application',
    items: [
      'protect-pages',
      'remote-functions',
      'json-api',
      'roles',
      'user-fields',
      'provider-tokens',
      'tenants',
      'testing',
      'new-binding',
    ].map(guide),
  },
  {
    label: 'Frameworks',
    items: [{ autogenerate: { directory: 'frameworks' } }],
  },
  {
    label: 'Deployment',
    items: ['node', 'docker', 'vercel', 'cloudflare', 'deno', 'bun'].map((name) => guide(`deploy-${name}`)),
  },
  {
    label: 'Operation',
    items: [
      ...['rotate-secrets', 'upgrade', 'troubleshoot', 'security-checklist'].map(guide),
      ...['from-authjs', 'wrappers-of-authjs', 'move-from-another-library', 'roll-back'].map(guide),
      'migration',
      'differences',
    ],
  },
  {
    label: 'Concepts',
    items: ['sign-in', 'sessions', 'users', 'cookies', 'csrf', 'threat-model'].map((name) => `concepts/${name}`),
  },
  {
    label: 'Reference',
    items: [
      ...[
        'configuration',
        'options',
        'environment',
        'endpoints',
        'errors',
        'explain',
        'cli',
        'adapters',
        'tokens',
        'mail',
        'passkeys',
        'sessions',
        'account',
        'linking',
      ],
      ...['pages', 'rate-limits', 'runtimes', 'frameworks/contract'],
      { label: 'Providers', collapsed: true, items: ['providers', { autogenerate: { directory: 'providers' } }] },
      { label: 'API', collapsed: true, items: [{ autogenerate: { directory: 'api' } }] },
      { label: 'Packages', collapsed: true, items: [{ autogenerate: { directory: 'packages' } }] },
    ],
  },
  {
    label: 'For reviewers',
    items: [
      ...['comparison', 'security', 'reporting', 'performance', 'changelog'],
      { label: 'Decisions', collapsed: true, items: [{ autogenerate: { directory: 'decisions' } }] },
    ],
  },
];

function guide(name) {
  return `guides/${name}`;
}
