import { Browser, type Page } from '@latchkey/testing';
import type { Served } from './next-application.ts';

/** A browser that visits an application, perhaps through a proxy in front of it. */
export function browse(served: Served, origin = `http://localhost:${served.port}`): Browser {
  const { host, protocol } = new URL(origin);
  const direct = host.startsWith('localhost:');
  return new Browser(
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      if (!direct) {
        headers.set('x-forwarded-host', host);
        headers.set('x-forwarded-proto', protocol.slice(0, -1));
      }
      const body = request.body ? { body: await request.arrayBuffer() } : {};
      const { method } = request;
      return fetch(`http://localhost:${served.port}${pathname}${search}`, {
        method,
        headers,
        redirect: 'manual',
        ...body,
      });
    },
    { origin },
  );
}

/** The JSON that a page shows in `<pre id="…">`. */
export function shown(page: Page, id: string): unknown {
  const text = new RegExp(`<pre id="${id}">([^<]*)</pre>`).exec(page.text())?.[1];
  return text === undefined ? undefined : JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

/** Submits a form of the page with that id. */
export async function submit(
  browser: Browser,
  page: string,
  id: string,
  fields: Record<string, string> = {},
): Promise<Page> {
  const form = browser.form(await browser.get(page), (each) => each.id === id);
  return browser.submit(form, fields);
}
