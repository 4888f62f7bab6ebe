import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDefaultConfigLoader, spellCheckDocument } from 'cspell-lib';
import { lint } from 'markdownlint-cli2/markdownlint/promise';
import { createLinter, loadTextlintrc } from 'textlint';
import { root } from '../setup.mjs';
import { passagesOf } from './extract.ts';

/** A place where a text breaks a rule. */
export interface Finding {
  path: string;
  line: number;
  rule: 'line-length' | 'sentence-length' | 'spelling' | 'wording';
  message: string;
}

/** Text for the checkers, with the file and the line that each of its lines comes from. */
interface Document {
  text: string;
  origins: { path: string; line: number }[];
}

const longestLine = 120;
const longestSentence = 25;

/** Returns the findings in these files, sorted by file and line. Paths are relative to `folder`. */
export async function findingsIn(paths: readonly string[], folder: string = root): Promise<Finding[]> {
  const texts = paths.map((path) => ({ path, content: readFileSync(join(folder, path), 'utf8') }));
  const pages = texts.filter(({ path }) => path.endsWith('.md'));
  const sources = texts.filter(({ path }) => !path.endsWith('.md'));
  const documents = [...pages.map(documentOfPage), ...documentsOfSources(sources)];
  const findings = [
    ...(await longLinesOfPages(pages)),
    ...sources.flatMap(longLinesOfComments),
    ...documents.flatMap(longSentences),
    ...(await wordings(documents)),
    ...(await misspellings(documents)),
  ];
  return findings.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
}

interface TextFile {
  path: string;
  content: string;
}

function documentOfPage({ path, content }: TextFile): Document {
  return { text: content, origins: content.split('\n').map((_, index) => ({ path, line: index + 1 })) };
}

/** Joins the passages of many sources, because each document costs the checkers a few milliseconds. */
function documentsOfSources(sources: readonly TextFile[]): Document[] {
  const documents: Document[] = [];
  let next: Document = { text: '', origins: [] };
  for (const { path, content } of sources) {
    if (next.origins.length === 0) documents.push(next);
    for (const { line, text } of passagesOf(path, content)) {
      next.text += `${text}\n\n`;
      next.origins.push(...[...text.split('\n'), ''].map((_, index) => ({ path, line: line + index })));
    }
    if (next.origins.length > 1000) next = { text: '', origins: [] };
  }
  return documents;
}

async function longLinesOfPages(pages: readonly TextFile[]): Promise<Finding[]> {
  const results = await lint({
    strings: Object.fromEntries(pages.map(({ path, content }) => [path, content])),
    config: JSON.parse(readFileSync(join(root, '.markdownlint.json'), 'utf8')),
  });
  return Object.entries(results).flatMap(([path, found]) =>
    found.map(({ lineNumber, ruleDescription, errorDetail }) => {
      const message = `${ruleDescription} (${errorDetail ?? ''})`;
      return { path, line: lineNumber, rule: 'line-length' as const, message };
    }),
  );
}

/** Checks comments only, because the formatter limits the lines of code. */
function longLinesOfComments({ path, content }: TextFile): Finding[] {
  const message = `A line of a comment has more than ${longestLine} characters`;
  return content
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(
      ({ text }) => text.length > longestLine && /^\s*(\/\/|\/\*|\*(?=[\s/]|$))/.test(text) && !text.includes('://'),
    )
    .map(({ line }) => ({ path, line, rule: 'line-length', message }));
}

/** Tables, headings, code, HTML and link definitions end a paragraph. Each item of a list is a paragraph. */
function longSentences({ text, origins }: Document): Finding[] {
  const findings: Finding[] = [];
  let paragraph: { text: string; first: number } | undefined;
  let isCode = false;
  for (const [index, line] of [...text.split('\n'), ''].entries()) {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    const isBreak = isCode || isFence || /^\s*($|[|#<]|\[[^\]]+\]: )/.test(line);
    if (paragraph && (isBreak || /^\s*([-*]|\d+\.) /.test(line))) {
      for (const count of sentenceLengths(paragraph.text)) {
        if (count <= longestSentence) continue;
        const message = `A sentence has ${count} words. Write sentences of at most ${longestSentence} words`;
        findings.push({ ...originOf(origins, paragraph.first), rule: 'sentence-length', message });
      }
      paragraph = undefined;
    }
    if (!isBreak)
      paragraph = {
        first: paragraph?.first ?? index,
        text: `${paragraph?.text ?? ''} ${line.trim().replace(/^>( \[!\w+\])? ?/, '')}`,
      };
  }
  return findings;
}

/** Counts the words of each sentence. Code counts as one word, and so does the text of a link's address. */
function sentenceLengths(paragraph: string): number[] {
  const plain = paragraph.replace(/(`+).+?\1/g, 'Code').replace(/\]\([^)]*\)/g, ']');
  const isWord = (word: string): boolean => /[\p{L}\d]/u.test(word);
  return plain
    .split(/(?<=[.!?:][)"'*_\]]*)\s+(?=[("'*_[]*[\p{Lu}\d])/u)
    .map((one) => one.split(/\s+/).filter(isWord).length);
}

async function wordings(documents: readonly Document[]): Promise<Finding[]> {
  const linter = createLinter({ descriptor: await loadTextlintrc({ configFilePath: join(root, '.textlintrc.json') }) });
  const findings: Finding[] = [];
  for (const { text, origins } of documents) {
    for (const { line, message } of (await linter.lintText(text, 'text.md')).messages) {
      findings.push({ ...originOf(origins, line - 1), rule: 'wording', message: message.replace(/\s*\n\s*/g, ' ') });
    }
  }
  return findings;
}

async function misspellings(documents: readonly Document[]): Promise<Finding[]> {
  const config = await getDefaultConfigLoader().readConfigFile(join(root, 'cspell.json'));
  if (config instanceof Error) throw config;
  const findings: Finding[] = [];
  for (const { text, origins } of documents) {
    const document = { uri: 'text.md', text, languageId: 'markdown', locale: 'en-US' };
    const { issues } = await spellCheckDocument(document, { noConfigSearch: true }, config.settings);
    for (const { offset, text: word } of issues) {
      const line = text.slice(0, offset).split('\n').length - 1;
      const message = `"${word}" is not in the dictionaries. Correct it, or add it to cspell.json`;
      findings.push({ ...originOf(origins, line), rule: 'spelling', message });
    }
  }
  return findings;
}

function originOf(origins: Document['origins'], index: number): Document['origins'][number] {
  const origin = origins[index];
  if (!origin) throw new RangeError(`the document has no line ${index}`);
  return origin;
}
