import { limits } from '../config/defaults.ts';
import { equal } from '../crypto/bytes.ts';
import { isRecord } from '../plain-object.ts';
import type { AddRequest, OAuthPart } from './kinds.ts';

/** One part of a pending authorization request, as its cookie stores it. */
export interface FlowRecord {
  /** The state, the code verifier, or the nonce. */
  readonly value: string;
  /** Id of the provider. */
  readonly provider: string;
  /** Seconds since 1970 at which the record expires. */
  readonly due: number;
  /** Hash of the request's state. `undefined` in cookies of Auth.js, and if the owner configured a `state`. */
  readonly flowId?: string | undefined;
  readonly memo?: FlowMemo | undefined;
}

/** Facts about the start of a request. The names belong to the wire format. */
export interface FlowMemo {
  /** Where the visitor goes afterwards. In the record of the state only, as are `by`, `pkce` and `params`. */
  readonly returnTo?: string | undefined;
  /** Id of the user who was signed in. */
  readonly by?: string | undefined;
  /** The user in `by` wants to add the account. In the record of the state only. */
  readonly adds?: AddRequest | undefined;
  /** The provider says that it supports PKCE, and the request uses it. */
  readonly pkce?: boolean | undefined;
  /** Parameters in the request for the sign-in, as a query. */
  readonly params?: string | undefined;
  /** The scopes that the request asks for, if the sign-in had the option `scopes`. In the record of the state only. */
  readonly scope?: string | undefined;
  /** Beginning of the CSRF token of the browser. */
  readonly browser?: string | undefined;
  /** An address that a mail has proven before the request. In the records of all parts, as is `account`. */
  readonly email?: string | undefined;
  /** Hash of the id of the account that has this address. */
  readonly account?: string | undefined;
  /** All parts of the request. `undefined` in cookies of earlier versions. */
  readonly parts?: readonly OAuthPart[] | undefined;
}

/**
 * Reads the records of a cookie, the newest first. Expired records are left out. The newest has the shape that Auth.js
 * v5 reads (`value`, `provider`); older ones are tuples in `older`.
 *
 * @param now Seconds since 1970.
 */
export function readRecords(payload: Record<string, unknown>, now: number): FlowRecord[] {
  const { value, provider, flow, due, memo, older, exp } = payload;
  const newest = toRecord(value, provider, typeof due === 'number' ? due : exp, flow, memo);
  const tuples = Array.isArray(older) ? older.filter(Array.isArray) : [];
  const rest = tuples.map((tuple) => toRecord(tuple[0], tuple[1], tuple[2], tuple[3], tuple[4]));
  return [newest, ...rest]
    .filter((one) => one !== undefined)
    .filter((one) => one.due > now)
    .slice(0, limits.flows);
}

function toRecord(
  value: unknown,
  provider: unknown,
  due: unknown,
  flowId: unknown,
  memo: unknown,
): FlowRecord | undefined {
  if (typeof value !== 'string' || typeof provider !== 'string' || typeof due !== 'number') return undefined;
  return {
    value,
    provider,
    due,
    flowId: typeof flowId === 'string' ? flowId : undefined,
    memo: isMemo(memo) ? memo : undefined,
  };
}

function isMemo(value: unknown): value is FlowMemo {
  if (!isRecord(value)) return false;
  const memo: { [name in keyof FlowMemo]?: unknown } = value;
  const { returnTo, by, adds, params, scope, browser, email, account, pkce, parts } = memo;
  if (adds !== undefined && !isRecord(adds)) return false;
  const texts = [returnTo, by, adds?.['account'], params, scope, browser, email, account];
  if (!texts.every((text) => text === undefined || typeof text === 'string')) return false;
  return (pkce === undefined || typeof pkce === 'boolean') && (parts === undefined || Array.isArray(parts));
}

/** Returns the payload of a cookie; the reverse of {@link readRecords}. */
export function writeRecords([newest, ...rest]: readonly [FlowRecord, ...FlowRecord[]]): Record<string, unknown> {
  const { value, provider, flowId, due, memo } = newest;
  return { value, provider, flow: flowId, due, memo, older: rest.length === 0 ? undefined : rest.map(toTuple) };
}

function toTuple({ value, provider, due, flowId, memo }: FlowRecord): unknown[] {
  return memo ? [value, provider, due, flowId ?? null, memo] : [value, provider, due, flowId ?? null];
}

/** The request that a callback answers. */
export interface RecordQuery {
  readonly provider: string;
  /** Hash of the callback's `state`; `undefined` if the callback has no `state`. */
  readonly flowId: string | undefined;
  /** Whether a callback without `state` matches nothing. */
  readonly needsId: boolean;
}

/**
 * Takes one record out. With a state, this is the provider's record with its hash. A record that Auth.js wrote has no
 * hash, and matches only if it is the newest. Without a state, this is the provider's newest record.
 */
export function takeRecord(
  records: readonly FlowRecord[],
  { provider, flowId, needsId }: RecordQuery,
): { record: FlowRecord | undefined; rest: FlowRecord[] } {
  const found = records.findIndex((record, index) => {
    if (record.provider !== provider) return false;
    if (flowId === undefined) return !needsId;
    return record.flowId === undefined ? index === 0 : equal(record.flowId, flowId);
  });
  return { record: records[found], rest: records.filter((_, index) => index !== found) };
}
