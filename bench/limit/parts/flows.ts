import { open, seal } from './jwe.ts';

/** What a flow knows about its beginning. */
export interface Memo {
  readonly returnTo?: string;
  readonly browser?: string;
  readonly pkce?: boolean;
}

/** An authorization request that was not answered yet. */
export interface PendingFlow {
  readonly value: string;
  readonly provider: string;
  readonly due: number;
  readonly tag: string;
  readonly memo?: Memo | undefined;
}

/** What a cookie holds. */
interface Payload {
  readonly value: string;
  readonly provider: string;
  readonly flow: string;
  readonly due: number;
  readonly memo?: Memo;
  readonly older?: readonly [string, string, number, string, Memo?][];
}

/** Most flows that a cookie remembers, and most characters. */
const MOST = 4;
const LONGEST = 2048;

/** The flows of a cookie, newest first, without those that are due. `now` in seconds. */
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

/** The `Set-Cookie` line that remembers flows; without any, that forgets. */
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
