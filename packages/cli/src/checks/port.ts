import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../load/env-files.ts';
import { factsOf } from '../load/frameworks.ts';
import type { Project } from '../load/project.ts';
import { sourcesIn } from '../load/sources.ts';
import type { Report } from './finding.ts';

/** Compares the port of AUTH_URL with those that the application names. Behind a proxy, they may differ. */
export function checkPort(project: Project, env: Env, report: Report): void {
  const url = URL.parse(env['AUTH_URL'] ?? env['NEXTAUTH_URL'] ?? '');
  if (url?.protocol !== 'http:' || !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)) return;
  const stated = url.port || '80';
  const used = portsOf(project, env);
  report.check(
    'env-url-port',
    used.length > 0 &&
      !used.includes(stated) && {
        level: 'warning',
        message: `AUTH_URL names the port ${stated}, but the application listens at ${used.join(' or ')}.`,
        remedy: 'Make both equal: callback URLs have the port of AUTH_URL.',
        docs: 'errors.md#env-url-port',
        facts: { stated: Number(stated), used: used.join(',') },
      },
  );
}

const OPTION = /(?:^|\s)(?:-p|--port)[= ](\d{2,5})\b/g;
/** The files in which frameworks have the port of their development server. */
const CONFIGS = ['vite', 'astro', 'nuxt', 'nitro'].flatMap((name) =>
  ['ts', 'js', 'mjs'].map((extension) => `${name}.config.${extension}`),
);
const LITERALS = [
  /\.listen\(\s*(\d{2,5})\b/g,
  /\bport:\s*(\d{2,5})\b/gi,
  /\bPORT\b['"\]]*\s*(?:\?\?|\|\|)\s*['"]?(\d{2,5})\b/g,
];

/** Returns the ports at which the application may listen. Empty if nothing names one. */
function portsOf({ root, framework, manifest: { scripts } }: Project, env: Env): readonly string[] {
  if (env['PORT']) return [env['PORT']];
  const named = found([OPTION], [scripts['dev'] ?? '', scripts['start'] ?? '']);
  if (named.length > 0) return named;
  if (framework === 'next') return ['3000'];
  const usual = factsOf(framework).ports.map(String);
  const texts =
    usual.length > 0
      ? CONFIGS.map((name) => join(root, name))
          .filter(existsSync)
          .map((file) => readFileSync(file, 'utf8'))
      : [...sourcesIn(root)].map(({ text }) => text);
  const configured = found(LITERALS, texts);
  return configured.length > 0 ? configured : usual;
}

function found(patterns: readonly RegExp[], texts: readonly string[]): string[] {
  const ports = texts.flatMap((text) =>
    patterns.flatMap((one) => [...text.matchAll(one)].map(([, port = '']) => port)),
  );
  return [...new Set(ports)];
}
