import { setTimeout } from 'node:timers/promises';
import { repository } from './documents.ts';
import { linksIn } from './markdown.ts';

/** Hosts of examples (RFC 2606), and of this machine. */
const reserved = /(^|\.)(example|test|invalid|localhost|local|internal)$|(^|\.)example\.(com|net|org)$|^[\d.]+$|^\[/;
/** Statuses of servers that refuse programs, but may show the page to a person. */
const refusals = [401, 403, 405, 406, 418, 429, 999];
const tries = 3;

/**
 * Returns the URLs of a Markdown text that lead to other sites, without their fragments. Examples are left out.
 *
 * ```ts
 * externalLinks('[RFC](https://www.rfc-editor.org/rfc/rfc6749#section-4)'); // ['https://www.rfc-editor.org/rfc/rfc6749']
 * ```
 */
export function externalLinks(text: string): string[] {
  const targets = linksIn(text).map(({ target }) => target);
  const isExternal = (target: string): boolean =>
    /^https?:/.test(target) && !/[<>{}…]/.test(target) && !target.startsWith(repository) && URL.canParse(target);
  const urls = targets.filter(isExternal).map((target) => new URL(target));
  return urls.filter(({ hostname }) => !reserved.test(hostname)).map(({ href }) => href.split('#')[0] ?? href);
}

/**
 * Requests a page. Servers that fail are asked three times.
 *
 * @param pause Milliseconds before the second try; twice as many before the third. Default: 5000.
 * @returns Why the URL leads nowhere; `undefined` if a server has the page.
 */
export async function problemOf(url: string, pause = 5_000): Promise<string | undefined> {
  let problem: string | undefined;
  for (let attempt = 0; attempt < tries; attempt++) {
    if (attempt > 0) await setTimeout(attempt * pause);
    try {
      const headers = { accept: 'text/html,*/*', 'user-agent': 'latchkey-link-check' };
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
      await response.body?.cancel();
      if (response.ok || refusals.includes(response.status)) return undefined;
      problem = `status ${response.status}`;
      if (response.status < 500) return problem;
    } catch (error) {
      const { cause } = error as Error;
      problem = cause instanceof Error ? cause.message : String(error);
    }
  }
  return problem;
}
