import { open, seal } from './jwe.ts';

/** The start of a flow. */
export interface Memo {
  readonly returnTo?: string;
  readonly browser?: string;
  readonly pkce?: boolean;
  readonly parts?: readonly string[];
}

/** An authorization request without an answer. */
export interface PendingFlow {
  readonly value: string;
  readonly provider: string;
  readonly due: number;
  readonly tag: string;
  readonly memo?: Memo | undefined;
}

/** The content of a cookie. */
interface Payload {
  readonly value: string;
  readonly provider: string;
  readonly flow: string;
  readonly due: number;
  readonly memo?: Memo;
  readonly older?: readonly [string, string, number, string, Memo?][];
}

/** Largest number of flows in a cookie, and of its characters. */
const MOST = 4;
const LONGEST = 2048;

/** Returns the flows of a cookie that have not expired, the newest first. `now` is in seconds. */
export function pendingFlows(
  cookie: string | undefined,
  name: string,
  secrets: readonly string[],
  now: number,
): PendingFlow[] {
  const claims = cookie === undefined ? undefined : open(cookie, secrets, name, now);
  if (!claims) return [];
  const { value, provider, flow, due, memo, older } = claims as unknown as Payload;
  const all: PendingFlow[] = [{ value, provider, due, tag: flow, memo }];
  if (Array.isArray(older)) {
    for (const [value, provider, due, tag, memo] of older) all.push({ value, provider, due, tag, memo });
  }
  return all.filter((one) => typeof one.value === 'string' && one.due > now);
}

const ATTRIBUTES = '; HttpOnly; SameSite=Lax';

/** Returns the `Set-Cookie` line for flows. Without flows, it deletes the cookie. */
export function flowLine(name: string, flows: readonly PendingFlow[], secrets: readonly string[], now: number): string {
  const [newest, ...rest] = flows.slice(0, MOST);
  if (!newest) return `${name}=; Max-Age=0; Path=/${ATTRIBUTES}`;
  const { value, provider, due, tag, memo } = newest;
  const older = rest.map((one) => [one.value, one.provider, one.due, one.tag, ...(one.memo ? [one.memo] : [])]);
  const payload = {
    value,
    provider,
    flow: tag,
    due,
    ...(memo ? { memo } : {}),
    ...(older.length > 0 ? { older } : {}),
  };
  const maxAge = due - now;
  const sealed = seal(payload, secrets[0] as string, name, maxAge, now);
  if (older.length > 0 && name.length + sealed.length >= LONGEST)
    return flowLine(name, flows.slice(0, -1), secrets, now);
  return `${name}=${sealed}; Max-Age=${maxAge}; Path=/; Expires=${dateOf(now + maxAge)}${ATTRIBUTES}`;
}

const memo = { second: -1, text: '' };

function dateOf(second: number): string {
  if (memo.second !== second) {
    memo.second = second;
    memo.text = new Date(second * 1000).toUTCString();
  }
  return memo.text;
}
