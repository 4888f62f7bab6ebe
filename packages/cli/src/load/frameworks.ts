/** The facts about a framework that the commands need. */
export interface FrameworkFacts {
  /** An application that depends on one of these packages uses the framework. */
  readonly signs: readonly string[];
  /** The package of Latchkey. Without one, applications call `@latchkey/core`. */
  readonly binding?: string;
  /** Where applications usually have their configuration, without the extension. The first one that exists counts. */
  readonly places: readonly string[];
  /** Where the actions are by default. */
  readonly basePath: string;
  /** The usual ports: first that of the development server. Empty: the application chooses one. */
  readonly ports: readonly number[];
  /**
   * The files whose variables reach `process.env` of the development server. `mode`: `.env`, `.env.local` and those of
   * the mode. `dotenv`: `.env`. `scripts`: those that the scripts of `package.json` name.
   */
  readonly envFiles: 'mode' | 'dotenv' | 'scripts';
  /** Whether the development server sets NODE_ENV. If so, `init` does not write it. */
  readonly setsMode: boolean;
}

/**
 * The frameworks whose applications can be loaded. `node`: everything that has no name. The order decides if an
 * application depends on several: whole frameworks come before the servers that they run on.
 */
export const frameworks = [
  'next',
  'nuxt',
  'sveltekit',
  'react-router',
  'astro',
  'tanstack-start',
  'nitro',
  'express',
  'hono',
  'fastify',
  'h3',
  'node',
] as const;

/** Name of a framework. */
export type Framework = (typeof frameworks)[number];

const SERVER_PLACES = ['auth', 'src/auth', 'lib/auth', 'src/lib/auth', 'server/auth', 'config/auth'];

/** A server that the application starts itself. */
const server = { places: SERVER_PLACES, basePath: '/auth', ports: [], envFiles: 'scripts', setsMode: false } as const;

const FACTS: Readonly<Record<Framework, FrameworkFacts>> = {
  next: {
    signs: ['next'],
    binding: '@latchkey/next',
    places: ['auth', 'src/auth', 'lib/auth', 'src/lib/auth', 'app/auth', 'src/app/auth'],
    basePath: '/api/auth',
    ports: [3000],
    envFiles: 'mode',
    setsMode: true,
  },
  nuxt: {
    signs: ['nuxt', 'nuxt-nightly'],
    binding: '@latchkey/nuxt',
    places: ['server/utils/auth', 'server/auth'],
    basePath: '/auth',
    ports: [3000],
    envFiles: 'dotenv',
    setsMode: true,
  },
  sveltekit: {
    signs: ['@sveltejs/kit'],
    binding: '@latchkey/sveltekit',
    places: ['src/auth', 'src/lib/auth', 'src/lib/server/auth', 'src/hooks.server'],
    basePath: '/auth',
    ports: [5173, 4173, 3000],
    envFiles: 'mode',
    setsMode: true,
  },
  'react-router': {
    signs: ['@react-router/dev'],
    binding: '@latchkey/react-router',
    places: ['app/auth.server', 'app/auth', 'app/lib/auth.server', 'app/.server/auth'],
    basePath: '/auth',
    ports: [5173, 3000],
    envFiles: 'mode',
    setsMode: true,
  },
  astro: {
    signs: ['astro'],
    binding: '@latchkey/astro',
    places: ['src/auth', 'src/lib/auth', 'src/utils/auth'],
    basePath: '/auth',
    ports: [4321],
    // Astro reads `.env` for `import.meta.env`, and not for `process.env`.
    envFiles: 'scripts',
    setsMode: true,
  },
  'tanstack-start': {
    signs: ['@tanstack/react-start'],
    binding: '@latchkey/tanstack-start',
    places: ['src/auth.server', 'src/auth', 'src/lib/auth.server', 'src/server/auth.server', 'app/auth.server'],
    basePath: '/auth',
    ports: [3000, 5173, 4173],
    envFiles: 'mode',
    setsMode: true,
  },
  nitro: {
    signs: ['nitro', 'nitropack', 'nitro-nightly'],
    binding: '@latchkey/h3',
    places: ['server/utils/auth', 'utils/auth', 'server/auth', 'auth'],
    basePath: '/auth',
    ports: [3000],
    envFiles: 'dotenv',
    setsMode: false,
  },
  express: { signs: ['express'], binding: '@latchkey/express', ...server },
  hono: { signs: ['hono'], binding: '@latchkey/hono', ...server },
  fastify: { signs: ['fastify'], binding: '@latchkey/fastify', ...server },
  h3: { signs: ['h3'], binding: '@latchkey/h3', ...server },
  node: { signs: [], ...server },
};

/** Returns what is known about a framework. */
export function factsOf(framework: Framework): FrameworkFacts {
  return FACTS[framework];
}

/** Returns the origin of the development server. */
export function developmentOrigin(framework: Framework): string {
  return `http://localhost:${factsOf(framework).ports[0] ?? 3000}`;
}

/** Returns the framework of an application with these dependencies. */
export function frameworkOf(dependencies: Readonly<Record<string, string>>): Framework {
  const uses = (name: Framework): boolean => factsOf(name).signs.some((sign) => Object.hasOwn(dependencies, sign));
  return frameworks.find(uses) ?? 'node';
}
