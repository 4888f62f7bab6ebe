import type { Fault } from './faults.ts';

/** A few bytes over the 1 MiB that Latchkey reads of an answer. */
const TOO_MUCH = 1_048_577;

/**
 * Answers that are none, whichever endpoint sends them. For `provider.misbehave({ discovery })`, `jwks`, `token` and `userinfo`.
 *
 * None of them makes a client wait. For slow answers use `{ delay: 'forever' }` and `{ drip: 1000 }`; a client has to have a deadline,
 * and Latchkey's is 10 seconds.
 */
export const answerFaults: Record<AnswerFault, Fault> = {
  serverError: { status: 500 },
  unavailable: { status: 503, body: '<h1>Down for maintenance</h1>', headers: { 'content-type': 'text/html' } },
  tooManyRequests: { status: 429, body: '', headers: { 'retry-after': '60' } },
  forbidden: { status: 403 },
  notFound: { status: 404, body: 'not found', headers: { 'content-type': 'text/plain' } },
  noContent: { status: 204 },
  empty: { body: '' },
  page: { body: '<!doctype html><h1>Welcome</h1>', headers: { 'content-type': 'text/html' } },
  pageCalledJson: { body: '<!doctype html><h1>Welcome</h1>' },
  null: { body: 'null' },
  list: { body: '[{"sub":"victim"}]' },
  text: { body: '"victim"' },
  brokenJson: { body: '{"issuer":"https://idp.test"' },
  otherEncoding: { body: new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]) },
  cut: { cut: 10 },
  reset: { throw: true },
  tooLong: { padding: TOO_MUCH },
  endless: { endless: true },
  redirect: { redirect: 'https://elsewhere.example/' },
  redirectInside: { redirect: 'http://169.254.169.254/latest/meta-data/' },
  redirectWithBody: { redirect: 'https://elsewhere.example/', status: 307 },
};

/** Names of the ready-made faults in {@link answerFaults}. */
export type AnswerFault =
  | 'serverError'
  | 'unavailable'
  | 'tooManyRequests'
  | 'forbidden'
  | 'notFound'
  | 'noContent'
  | 'empty'
  | 'page'
  | 'pageCalledJson'
  | 'null'
  | 'list'
  | 'text'
  | 'brokenJson'
  | 'otherEncoding'
  | 'cut'
  | 'reset'
  | 'tooLong'
  | 'endless'
  | 'redirect'
  | 'redirectInside'
  | 'redirectWithBody';
