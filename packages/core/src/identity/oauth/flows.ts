import { limits } from '../../config/defaults.ts';
import { equal } from '../../crypto/equal.ts';

/** One authorization request that has not been answered yet, as one check cookie remembers it. */
export interface Flow {
  /** The state, code verifier or nonce. */
  readonly value: string;
  /** Id of the provider the visitor was sent to. */
  readonly provider: string;
  /** Seconds since 1970 from which the flow no longer counts. */
  readonly due: number;
  /** Which flow it is: a hash of its state. Absent in cookies that another library wrote. */
  readonly tag?: string | undefined;
  /** What the state cookie remembers besides. */
  readonly memo?: FlowMemo | undefined;
}

/** What a flow knows about its beginning. */
export interface FlowMemo {
  /** Where the visitor goes afterwards, when it is short enough to be kept here. */
  readonly returnTo?: string | undefined;
  /** Id of the user who was signed in. */
  readonly by?: string | undefined;
  /** Beginning of the CSRF token of the browser it was started in. */
  readonly browser?: string | undefined;
  /** The provider says that it supports PKCE, and the flow uses it. */
  readonly pkce?: boolean | undefined;
}

type Older = [value: string, provider: string, due: number, tag: string | null, memo?: FlowMemo];

/**
 * The flows in a check cookie, newest first; those that are due are left out. The newest stands in the shape that the
 * whole family reads (`value`, `provider`), older ones beside it.
 *
 * @param now Seconds since 1970.
 */
export function readFlows(payload: Record<string, unknown>, now: number): Flow[] {
  const { value, provider, flow, due, memo, older, exp } = payload;
  const newest = toFlow(value, provider, typeof due === 'number' ? due : exp, flow, memo);
  if (!Array.isArray(older)) return newest && newest.due > now ? [newest] : [];
  const rest = older.map((entry) =>
    Array.isArray(entry) ? toFlow(entry[0], entry[1], entry[2], entry[3], entry[4]) : undefined,
  );
  return [newest, ...rest].filter((one): one is Flow => one !== undefined && one.due > now).slice(0, limits.flows);
}

function toFlow(value: unknown, provider: unknown, due: unknown, tag: unknown, memo: unknown): Flow | undefined {
  if (typeof value !== 'string' || typeof provider !== 'string' || typeof due !== 'number') return undefined;
  return {
    value,
    provider,
    due,
    tag: typeof tag === 'string' ? tag : undefined,
    memo: typeof memo === 'object' && memo !== null ? (memo as FlowMemo) : undefined,
  };
}

/** The payload of a check cookie, for JSON; the reverse of {@link readFlows}. There is at least one flow. */
export function writeFlows(flows: readonly Flow[]): Record<string, unknown> {
  const [newest, ...rest] = flows as [Flow, ...Flow[]];
  return {
    value: newest.value,
    provider: newest.provider,
    flow: newest.tag,
    due: newest.due,
    memo: newest.memo,
    older: rest.length === 0 ? undefined : rest.map(toOlder),
  };
}

function toOlder({ value, provider, due, tag, memo }: Flow): Older {
  return memo ? [value, provider, due, tag ?? null, memo] : [value, provider, due, tag ?? null];
}

/** Which flow a callback is about. */
export interface FlowQuery {
  readonly provider: string;
  /** Hash of the callback's `state`; `undefined` when it has none. */
  readonly tag: string | undefined;
  /** A callback without a state matches nothing: the state is checked, or nothing else would tell whose answer it is. */
  readonly stateChecked: boolean;
}

/**
 * Takes one flow out. With a state: the flow of this provider with its hash (a flow that another library wrote has none and
 * stands for the newest only). Without: the newest of this provider.
 */
export function takeFlow(flows: readonly Flow[], query: FlowQuery): { flow: Flow | undefined; rest: Flow[] } {
  const found = flows.findIndex((flow, index) => {
    if (flow.provider !== query.provider) return false;
    if (query.tag === undefined) return !query.stateChecked;
    return flow.tag === undefined ? index === 0 : equal(flow.tag, query.tag);
  });
  return { flow: flows[found], rest: flows.filter((_, index) => index !== found) };
}
