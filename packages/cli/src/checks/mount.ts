import type { Project } from '../load/project.ts';
import { sourcesIn } from '../load/sources.ts';
import type { Report } from './finding.ts';

/** Where an application answers the actions, as its sources say. */
export interface Mount {
  /** '' or with a leading and without a trailing slash. */
  readonly path: string;
  /** The file that says so, relative to the project. */
  readonly file: string;
}

/**
 * Returns the mounts that the sources of an application show: the route of Next.js or Astro, or the router of Express.
 */
export function mountsIn({ root, framework }: Project): readonly Mount[] {
  if (framework !== 'next' && framework !== 'astro' && framework !== 'express') return [];
  const sources = [...sourcesIn(root)].filter(({ path }) => !/(?:^|[\\/.])(?:test|spec)s?[\\/.]/.test(path));
  if (framework !== 'express') {
    const [name, pattern] = ROUTES[framework];
    return sources.flatMap(({ path, text }) => {
      const route = text.includes(name) ? routeOf(path, pattern) : undefined;
      return route === undefined ? [] : [{ path: route, file: path }];
    });
  }
  const names = sources.flatMap(({ text }) => [...text.matchAll(HANDLER)].map(([, name = '']) => name));
  const mounted = new RegExp(
    String.raw`\.(?:use|all|get)\(\s*(['"\x60])(/[^'"\x60]*)\1\s*,[^;]*?\b(?:${['ExpressAuth', ...names].join('|')})\b`,
    'g',
  );
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(mounted)].map(([, , at = '']) => ({ path: withoutWildcard(at), file: path })),
  );
}

/** The variables that hold the handler of Express. */
const HANDLER = /\b(?:const|let)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*ExpressAuth\(/g;

/** The name that the file of the actions imports, and its path, with the folders that make the URL. */
const ROUTES = {
  next: ['handlers', /^(?:src\/)?app\/((?:.*\/)?)\[\.\.\.[^\]]+\]\/route\.[jt]sx?$/],
  astro: ['handler', /^src\/pages\/((?:.*\/)?)\[\.\.\.[^\]]+\]\.[jt]s$/],
} as const;

/** `app/(site)/api/auth/[...nextauth]/route.ts` answers below `/api/auth`. */
function routeOf(file: string, pattern: RegExp): string | undefined {
  const [, folders] = pattern.exec(file.replaceAll('\\', '/')) ?? [];
  if (folders === undefined) return undefined;
  const segments = folders.split('/').filter((name) => name !== '' && !/^\(.*\)$/.test(name));
  return segments.map((name) => `/${name}`).join('');
}

/** `/auth/*` (Express 4) and `/auth/{*rest}` (Express 5) mean the same as `/auth`. */
function withoutWildcard(path: string): string {
  return path.replace(/\/(?:\*.*|\{.*|\(.*)?$/, '');
}

/**
 * Checks that the base path leads to a mount. Next.js and proxies may add a path in front.
 *
 * @returns The path to use in callback URLs.
 */
export function checkMount(basePath: string, mounts: readonly Mount[], isInUrl: boolean, report: Report): string {
  const [first] = mounts;
  const other =
    first && !mounts.some(({ path }) => basePath.toLowerCase().endsWith(path.toLowerCase())) ? first : undefined;
  report.check(
    'env-url-basepath-mismatch',
    other && {
      message: `the base path is ${basePath || '/'}${isInUrl ? ' (AUTH_URL)' : ''}, but ${other.file} answers at ${other.path || '/'}.`,
      remedy: isInUrl
        ? `Remove the path from AUTH_URL, or write ${other.path || '/'} there.`
        : `Set \`basePath: '${other.path || '/'}'\`, or mount the handler at ${basePath || '/'}.`,
      docs: 'errors.md#env-url-basepath-mismatch',
      facts: { basePath, mount: other.path, file: other.file },
    },
  );
  return other?.path ?? basePath;
}
