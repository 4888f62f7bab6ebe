import { docsUrl } from '../checks/finding.ts';
import type { Diagnosis } from './doctor.ts';

/** The output of `latchkey doctor --json`. `doctor.schema.json` describes it. */
export function doctorJson({ findings, passed, callbackUrls }: Diagnosis, ok: boolean): string {
  return JSON.stringify({ schemaVersion: 1, ok, passed, callbackUrls, findings }, undefined, 2);
}

/** Yields the lines of the result, at most `columns` characters wide where words allow it. */
export function* doctorText({ findings, passed, callbackUrls }: Diagnosis, columns: number): Iterable<string> {
  const widest = Math.max(0, ...findings.map(({ id }) => id.length));
  for (const { id, level, message, remedy } of findings) {
    const head = `${level.padEnd(9)}${id.padEnd(widest + 2)}`;
    const [first = '', ...others] = wrapped(`${message} ${remedy}`, columns - head.length);
    yield head + first;
    for (const line of others) yield ' '.repeat(head.length) + line;
  }
  const urls = Object.entries(callbackUrls);
  const longest = Math.max(0, ...urls.map(([id]) => id.length));
  if (urls.length > 0) yield 'Register these callback URLs:';
  for (const [id, url] of urls) yield `  ${id.padEnd(longest + 2)}${url}`;
  const errors = findings.filter(({ level }) => level === 'error').length;
  yield `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}, ${counted(passed, 'check')} passed`;
  if (findings.length > 0) yield `Each check is described at ${docsUrl('cli.md#checks')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
