import type { Json, Step } from './fixture.ts';
import type { Values } from './values.ts';

/** The expected request. */
interface Judged {
  isToken: boolean;
  /** The flow's values, and the code challenge of its authorization request. */
  values: Values;
}

/** Headers that any request may bear. Each must be there which is marked. */
const usual = ['accept', 'user-agent', 'content-type', 'authorization', 'content-length'];

/** Returns the faults in the headers of a request. */
export function headerProblems({ headers }: Request, step: Step, judged: Judged): string[] {
  const wanted = new Map(Object.entries(step.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const authorization = authorizationOf(step, judged);
  const problems: string[] = [];
  for (const [name, value] of wanted) {
    const sent = headers.get(name);
    if (sent === null || (value !== '*' && sent !== value)) problems.push(`header ${name} is ${sent}, not ${value}`);
  }
  for (const name of headers.keys()) {
    if (!usual.includes(name) && !wanted.has(name)) problems.push(`unexpected header ${name}`);
  }
  // Many vendors turn requests without one away.
  if (!headers.get('user-agent')) problems.push('no header user-agent');
  if (!wanted.has('authorization') && headers.get('authorization') !== authorization) {
    problems.push(`header authorization is ${headers.get('authorization')}, not ${authorization}`);
  }
  if (judged.isToken && !headers.get('accept')?.includes('application/json'))
    problems.push('no header accept for JSON');
  const type = headers.get('content-type')?.split(';')[0] ?? null;
  const wantedType = hasBody(step, judged)
    ? `application/${step.format === 'json' ? 'json' : 'x-www-form-urlencoded'}`
    : null;
  if (type !== wantedType && !wanted.has('content-type')) problems.push(`content type is ${type}, not ${wantedType}`);
  return problems;
}

function hasBody(step: Step, { isToken }: Judged): boolean {
  return (isToken && step.method !== 'GET') || step.body !== undefined;
}

function authorizationOf({ auth }: Step, { isToken, values }: Judged): string | null {
  if (isToken) {
    return (auth ?? 'basic') === 'basic' ? `Basic ${btoa(`${values['client_id']}:${values['client_secret']}`)}` : null;
  }
  return (auth ?? 'bearer') === 'bearer' ? `Bearer ${values['access_token']}` : null;
}

/** Returns the faults in the body of a request. */
export async function bodyProblems(body: string, step: Step, judged: Judged): Promise<string[]> {
  if (!hasBody(step, judged)) return body === '' ? [] : [`unexpected body ${body}`];
  const { sent, problems } = parsed(body, step);
  const wanted = new Map(Object.entries({ ...(judged.isToken ? usualFields(step, judged) : {}), ...step.body }));
  if (judged.isToken && judged.values['challenge'] !== undefined) {
    wanted.set('code_verifier', '*');
    if ((await challengeOf(sent.get('code_verifier'))) !== judged.values['challenge']) {
      problems.push('the code_verifier does not fit the code_challenge');
    }
  }
  for (const [name, value] of wanted) {
    const field = sent.get(name);
    if (value === null ? field !== undefined : value !== '*' && JSON.stringify(field) !== JSON.stringify(value)) {
      problems.push(`field ${name} is ${JSON.stringify(field)}, not ${JSON.stringify(value)}`);
    }
  }
  const unexpected = [...sent.keys()].filter((name) => !wanted.has(name));
  return [...problems, ...unexpected.map((name) => `unexpected field ${name}=${JSON.stringify(sent.get(name))}`)];
}

function parsed(body: string, { format }: Step): { sent: Map<string, Json>; problems: string[] } {
  if (format === 'json')
    return { sent: new Map(Object.entries(JSON.parse(body) as Record<string, Json>)), problems: [] };
  const fields = new URLSearchParams(body);
  const repeated = [...new Set(fields.keys())].filter((name) => fields.getAll(name).length > 1);
  return { sent: new Map(fields), problems: repeated.map((name) => `more than one field ${name}`) };
}

/** RFC 6749 §4.1.3. */
function usualFields({ auth = 'basic' }: Step, { values }: Judged): Record<string, Json> {
  const { client_id = '', client_secret = '', code = '', redirect_uri = '' } = values;
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    ...(auth === 'basic' ? {} : { client_id }),
    ...(auth === 'post' ? { client_secret } : {}),
  };
}

async function challengeOf(verifier: Json | undefined): Promise<string | undefined> {
  if (typeof verifier !== 'string') return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  return Buffer.from(digest).toString('base64url');
}
