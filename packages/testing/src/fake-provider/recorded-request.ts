import type { FaultyEndpoint } from './faults.ts';

/** A request that reached a `FakeProvider`. */
export interface RecordedRequest {
  /** `other` is one of the `routes` or an address where nobody answers. */
  readonly endpoint: FaultyEndpoint | 'other';
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** The body read as a form. */
  readonly form: URLSearchParams;
}
