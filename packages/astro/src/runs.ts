import type { APIContext } from 'astro';

/** A run of the middleware for one request. */
export interface Run {
  /** The `Cookie` header of the request. */
  readonly cookie: string | null;
  /** Whether the response can still get cookies. */
  isOpen: boolean;
}

type Context = Pick<APIContext, 'locals' | 'request'>;

/**
 * The runs of the middleware. Astro replaces the request at a rewrite, and keeps `locals`. So they name the run, but
 * only for requests with the same cookies: a server may pass one object to all requests by mistake.
 */
export class Runs {
  readonly #byLocals: WeakMap<object, Run> = new WeakMap();

  begin({ locals, request }: Context): Run {
    const run = { cookie: request.headers.get('cookie'), isOpen: true };
    this.#byLocals.set(locals, run);
    return run;
  }

  /** Returns the run of a request; `undefined` without the middleware. */
  of({ locals, request }: Context): Run | undefined {
    const run = this.#byLocals.get(locals);
    return run?.cookie === request.headers.get('cookie') ? run : undefined;
  }
}
