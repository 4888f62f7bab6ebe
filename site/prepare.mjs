import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeApi } from './api.mjs';

// Before each build: copies the pages of the repository into `src/content/docs`. The first heading becomes the title,
// links between files become links between pages, and `docs/providers.md` becomes a page for each provider.

const site = dirname(fileURLToPath(import.meta.url));
const root = dirname(site);
const output = join(site, 'src/content/docs');
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sources = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;

/** The address of each page on the site, by the path of its file in the repository. */
const pages = new Map([
  ...filesIn('docs').map((file) => [file, address(file.slice('docs/'.length))]),
  ...filesIn('decisions').map((file) => [file, address(file.replace('README', 'index'))]),
  ...filesIn('packages')
    .filter((file) => /^packages\/[^/]+\/README\.md$/.test(file))
    .map((file) => [file, `/packages/${file.split('/')[1]}/`]),
  ['CHANGELOG.md', '/changelog/'],
  ['SECURITY.md', '/reporting/'],
]);

rmSync(output, { recursive: true, force: true });
for (const [file, to] of pages) {
  const text = readFileSync(join(root, file), 'utf8');
  if (file === 'docs/providers.md') writeProviders(text);
  else write(to, page(file, text));
}

await writeApi(root, join(output, 'api'));

/** Returns the Markdown files below a folder, except those of dependencies. */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|dist|docs|test|src)$/.test(entry.name) ? [] : filesIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** `guides/roles.md` is at `/guides/roles/`, and `index.md` of a folder at the folder. */
function address(path) {
  const name = path.replace(/\.md$/, '').replace(/(^|\/)index$/, '');
  return name === '' ? '/' : `/${name}/`;
}

/** @returns {string} A page with front matter in the place of its first heading. */
function page(file, text) {
  const [, title = file, body = ''] = /^# (.*)\n([\s\S]*)$/.exec(text.trimStart()) ?? [];
  return withTitle(title, body, file);
}

function withTitle(title, body, file) {
  const matter = [`title: ${JSON.stringify(plain(title))}`, `description: ${JSON.stringify(summaryOf(body))}`];
  if (file !== 'docs/providers.md') matter.push(`editUrl: ${JSON.stringify(`${sources}${file}`)}`);
  return `---\n${matter.join('\n')}\n---\n\n${withBoxes(withLinks(body, file).trimStart())}`;
}

/** The first sentence of the first paragraph. */
function summaryOf(body) {
  const paragraph = body.split(/\n{2,}/).find((each) => /^[A-Z`*"[]/.test(each.trim())) ?? '';
  return plain(paragraph.replaceAll('\n', ' ').split(/(?<=\.) /)[0] ?? '').slice(0, 200);
}

function plain(markdown) {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
}

/** Rewrites relative links, except in code. Files that are not pages are in the repository. */
function withLinks(text, file) {
  // `](path#anchor)`, or a definition `[label]: path#anchor` on a line.
  const relative = /(\]\(|^\[[^\]]+\]: )(?!https?:|mailto:|\/)([^)#\s]*)(#[^)\s]*)?(?=\)|$)/gm;
  return outsideCode(text, (part) =>
    part.replaceAll(relative, (whole, before, path, anchor = '') => {
      if (path === '')
        return file === 'docs/providers.md' && anchor ? `${before}/providers/${anchor.slice(1)}/` : whole;
      const target = posix.normalize(posix.join(posix.dirname(file), path));
      if (target === 'docs/providers.md' && anchor) return `${before}/providers/${anchor.slice(1)}/`;
      const to = pages.get(target) ?? pages.get(posix.join(target, 'README.md'));
      return to === undefined ? `${before}${sources}${target}${anchor}` : `${before}${to}${anchor}`;
    }),
  );
}

/** GitHub's boxes (`> [!WARNING]`) are asides on the site. */
function withBoxes(text) {
  const kinds = { NOTE: 'note', TIP: 'tip', IMPORTANT: 'note', WARNING: 'caution', CAUTION: 'danger' };
  return text.replaceAll(/^> \[!(\w+)\]\n((?:>.*\n?)*)/gm, (_whole, kind, lines) => {
    return `:::${kinds[kind] ?? 'note'}\n${lines.replaceAll(/^> ?/gm, '')}:::\n`;
  });
}

/** Applies a function to the text between code blocks. */
function outsideCode(text, change) {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}

/** Writes one page for each provider, and one that lists them. */
function writeProviders(text) {
  const [intro = '', ...sections] = text.split(/^## /m);
  write('/providers/', page('docs/providers.md', intro));
  for (const section of sections) {
    const end = section.indexOf('\n');
    const name = section.slice(0, end);
    write(`/providers/${slug(name)}/`, withTitle(name, section.slice(end), 'docs/providers.md'));
  }
}

/** The anchor that GitHub gives to a heading. */
function slug(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function write(to, text) {
  const file = join(output, to === '/' ? 'index.md' : `${to.slice(1, -1)}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
