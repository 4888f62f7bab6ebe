import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, repository } from '../scripts/links/documents.ts';
import { externalLinks, problemOf as problemOfUrl } from '../scripts/links/external.ts';
import { anchorsIn, linksIn } from '../scripts/links/markdown.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns why a link leads nowhere; `undefined` if it leads somewhere. */
function problemOf(file: string, target: string): string | undefined {
  const inRepository = target.startsWith(repository) ? `/${target.slice(repository.length)}` : target;
  if (/^[a-z][a-z+.-]*:/i.test(inRepository)) return undefined;
  const [path = '', anchor] = decodeURI(inRepository).split('#');
  const to = path === '' ? file : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(file), path);
  if (!existsSync(join(root, to))) return `${to} does not exist`;
  if (anchor === undefined) return undefined;
  const page = statSync(join(root, to)).isDirectory() ? posix.join(to, 'README.md') : to;
  return page.endsWith('.md') && anchorsIn(read(page)).has(anchor) ? undefined : `${page} has no anchor #${anchor}`;
}

describe('links of the documentation', () => {
  it('are in all pages and READMEs', () => {
    const expected = [
      'README.md',
      'docs/index.md',
      'decisions/README.md',
      'packages/core/README.md',
      'bench/README.md',
    ];
    expect(documents()).toEqual(expect.arrayContaining(expected));
    expect(documents().length).toBeGreaterThan(100);
  });

  it.each(documents())('lead to files and anchors that exist: %s', (file) => {
    const problems = linksIn(read(file)).flatMap(({ target, line }) => {
      const problem = problemOf(file, target);
      return problem ? [`${file}:${line}: ${target}: ${problem}`] : [];
    });
    expect(problems).toEqual([]);
  });

  it('in comments and messages lead to pages that exist', () => {
    const sources = globSync('packages/*/src/**/*.ts', { cwd: root });
    const named = sources.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w/.-])docs\/([\w-]+(?:\/[\w-]+)*\.md)(?:#([\w-]+))?/g)].map(
        ([, page = '', anchor]) => ({
          file,
          page: `docs/${page}`,
          anchor,
        }),
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    const wrong = named.filter(
      ({ page, anchor }) => !existsSync(join(root, page)) || (anchor && !anchorsIn(read(page)).has(anchor)),
    );
    expect(wrong).toEqual([]);
  });

  it('are found, and lead nowhere without their file or anchor', () => {
    const text = '# A `b`\n[x](y.md#z) `[no](code.md)` <https://a.example/b>.\n```md\n[no](fence.md)\n```\n## A b\n';
    expect(linksIn(text).map(({ target }) => target)).toEqual(['y.md#z', 'https://a.example/b']);
    expect([...anchorsIn(text)]).toEqual(['a-b', 'a-b-1']);
    expect(problemOf('docs/index.md', 'nowhere.md')).toBe('docs/nowhere.md does not exist');
    expect(problemOf('docs/index.md', 'errors.md#nothing')).toBe('docs/errors.md has no anchor #nothing');
    expect(problemOf('docs/index.md', `${repository}docs/nowhere.md`)).toBe('docs/nowhere.md does not exist');
    expect(problemOf('docs/index.md', '../decisions/README.md#decisions')).toBeUndefined();
  });
});

describe('links to other sites', () => {
  it('are requested once, without examples, templates and pages of this repository', () => {
    const text = `https://a.dev/x#y, [b](https://b.dev/?q=1) https://app.example/ http://localhost:3000
      https://{tenant}.b.dev/ ${repository}docs/index.md [c](c.md) \`https://code.dev\``;
    expect(externalLinks(text)).toEqual(['https://b.dev/?q=1', 'https://a.dev/x']);
  });

  it('are gone with status 404, and asked again if the server fails', async () => {
    let failures = 1;
    const server = createServer((request, response) => {
      const statuses: Record<string, number> = {
        '/gone': 404,
        '/closed': 403,
        '/down': 503,
        '/restarts': failures-- > 0 ? 503 : 200,
      };
      response.writeHead(statuses[request.url ?? ''] ?? 200).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await problemOfUrl(`${origin}/restarts`, 0)).toBeUndefined();
      expect(await problemOfUrl(`${origin}/page`, 0)).toBeUndefined();
      expect(await problemOfUrl(`${origin}/closed`, 0)).toBeUndefined();
      expect(await problemOfUrl(`${origin}/gone`, 0)).toBe('status 404');
      expect(await problemOfUrl(`${origin}/down`, 0)).toBe('status 503');
    } finally {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
    expect(await problemOfUrl(origin, 0)).toContain('ECONNREFUSED');
  });
});
