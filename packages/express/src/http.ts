import type { NodeRequest, NodeResponse } from '@latchkey/core/binding';

/** The part of Express's request that tells who asks, and where; that of Express 4 and that of Express 5 fit. */
export interface ExpressVisit {
  /** `http` or `https`, the `trust proxy` setting considered. */
  readonly protocol: string;
  readonly headers: NodeRequest['headers'];
  readonly app: { get(setting: string): unknown };
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** The response in the making, on which a session is renewed. Express sets it. */
  readonly res?: ExpressHead | undefined;
}

/** What the renewal of a session needs of Express's response. */
export interface ExpressHead {
  readonly headersSent: boolean;
  getHeader(name: string): number | string | string[] | undefined;
  getHeaderNames(): string[];
  setHeader(name: string, value: string | string[]): unknown;
  // As a method: Node's has several signatures.
  writeHead(status: number, ...rest: never[]): unknown;
}

/** What the handler needs of Express's request. */
export interface ExpressRequest extends NodeRequest, ExpressVisit {
  readonly headers: NodeRequest['headers'];
  /** The request's address as on the wire. */
  readonly originalUrl: string;
  /** The part of the path that `app.use()` has matched. */
  readonly baseUrl: string;
  /** What the placeholders of the path stand for. */
  readonly params: unknown;
  /** The visitor's network address, the `trust proxy` setting considered. */
  readonly ip?: string | undefined;
}

/** What the handler needs of Express's response. */
export interface ExpressResponse extends NodeResponse {}

/** Express's `next`: with an error, its error handlers follow. */
export type ExpressNext = (error?: unknown) => void;
