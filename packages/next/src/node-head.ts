import { isForCaches, mayBeShared } from '@latchkey/core/binding';

/** What we need of the response of an API route, or of `getServerSideProps`. */
export interface NodeHead {
  readonly headersSent?: boolean | undefined;
  appendHeader(name: string, value: string): unknown;
  getHeader(name: string): number | string | string[] | undefined;
  setHeader(name: string, value: string | string[]): unknown;
  getHeaderNames?(): string[];
  // As a method: Node's has several signatures.
  writeHead?(status: number, ...rest: never[]): unknown;
}

const ours = new WeakMap<NodeHead, Set<string>>();

/**
 * Sets a cookie that no cache may keep which visitors share. Whether one may is known when the head of the answer is written: pages say
 * it when they have asked for the session. The cookie goes away again then; the next answer brings it.
 *
 * @param line The value of its `Set-Cookie` header.
 */
export function appendPrivately(response: NodeHead, line: string): void {
  if (mayBeShared(headersOf(response))) return;
  // Not only with the head: on some hosts nobody writes one.
  response.appendHeader('set-cookie', line);
  if (response.getHeader('cache-control') === undefined) response.setHeader('cache-control', 'private, no-store');
  const lines = ours.get(response) ?? watched(response);
  lines.add(line);
}

/** The lines that go away where a cache may keep the answer after all. */
function watched(response: NodeHead): Set<string> {
  const lines = new Set<string>();
  ours.set(response, lines);
  const writeHead = response.writeHead as ((...args: unknown[]) => unknown) | undefined;
  if (!writeHead) return lines;
  // Of `this`: in development Next hands `getServerSideProps` a proxy that must not be touched any more by then.
  response.writeHead = function (this: NodeHead, ...args: unknown[]) {
    if (!this.headersSent && mayBeShared([...headersOf(this), ...givenWith(args)])) {
      const before = [this.getHeader('set-cookie') ?? []].flat().map(String);
      this.setHeader(
        'set-cookie',
        before.filter((line) => !lines.has(line)),
      );
    }
    return writeHead.apply(this, args);
  };
  return lines;
}

function headersOf(response: NodeHead): [name: string, value: unknown][] {
  return (response.getHeaderNames?.() ?? ['cache-control']).flatMap((name): [string, unknown][] => {
    const value = response.getHeader(name);
    return value === undefined ? [] : [[name, value]];
  });
}

/** The headers that are given with the head: an object, or a list in which names and values take turns. */
function givenWith(args: readonly unknown[]): [name: string, value: unknown][] {
  const given = args.find((arg) => typeof arg === 'object' && arg !== null);
  if (!Array.isArray(given)) return Object.entries(given ?? {});
  const flat = given.flat();
  return flat.flatMap((name, index): [string, unknown][] =>
    index % 2 === 0 && isForCaches(String(name)) ? [[String(name), flat[index + 1]]] : [],
  );
}
