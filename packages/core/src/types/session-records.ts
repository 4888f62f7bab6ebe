import type { Awaitable } from './user.ts';

/** How a session began. */
export interface SessionFacts {
  /** Identifies the session. Not a secret: it opens nothing. */
  id: string;
  /** When the visitor signed in to this application. */
  startedAt: Date;
  /** When the provider last asked the visitor to prove who they are. Default: {@link startedAt}. */
  authTime: Date;
  /** How the visitor proved it (RFC 8176), for example `['pwd']`. Empty if it is unknown. */
  amr: readonly string[];
  /** Id of the provider. `undefined` for sessions that began before records were kept. */
  provider?: string | undefined;
}

/** A live session, as the record store keeps it. */
export interface SessionRecord extends SessionFacts {
  /** Owner of the session: the user's id in the store, else see `sessionsOf`. */
  userId: string;
  /** When the session was last used. Written at most once in ten minutes. */
  seenAt: Date;
  /** When the record can be deleted: not before the session's token expires. */
  expires: Date;
  /** Hash of the provider's issuer and its session id. */
  providerSession?: string | undefined;
  /** Hash of the provider's issuer and its user id. */
  providerUser?: string | undefined;
  /** The browser, as the list shows it: at most 80 characters. */
  label?: string | undefined;
  /** The beginning of the visitor's address: an IPv4 /24 or an IPv6 /48. */
  network?: string | undefined;
  /** Sealed token of a database session, so that another session can delete its row. */
  handle?: string | undefined;
  /** Sealed ID token of the sign-in, for the sign-out at the provider. */
  idToken?: string | undefined;
}

/** The values that a check writes if the record was last written before `after`. */
export interface RecordTouch {
  /** The new `seenAt`. */
  readonly now: Date;
  /** A record whose `seenAt` is this instant or later is not written. */
  readonly after: Date;
  /** The new `expires`. An instant before the record's `expires` is not written. */
  readonly expires: Date;
  /** The new `handle`. Default: it stays. */
  readonly handle?: string | undefined;
}

/** By which value records are found. */
export type RecordKey =
  | { readonly userId: string }
  | { readonly providerSession: string }
  | { readonly providerUser: string };

/** Sessions of a user that are over: all that started before an instant. */
export interface SessionEpoch {
  /** Sessions that started before this instant are over. */
  readonly before: Date;
  /** Id of one session that is not. Default: all are. */
  readonly except?: string | undefined;
  /** When all tokens of such sessions have expired, so that the epoch can be deleted. */
  readonly expires: Date;
}

/**
 * Keeps the records of live sessions, beside any adapter. A session has ended when its record is gone, or if it started
 * before the epoch of its user.
 *
 * Each step is atomic, and may be repeated. Reads must see the writes of all processes: do not read a replica.
 *
 * ```ts
 * const config = { providers, session: { records: { store: SqlSessionRecords(pool) } } };
 * ```
 */
export interface SessionRecords {
  /** Stores a record. Does nothing if a record with this id exists, unless that one has expired at `seenAt`. */
  create(record: SessionRecord): Awaitable<void>;
  /**
   * Reads a record together with the epoch of its user. Writes `touch` if `seenAt` is before `touch.after`. Cannot
   * bring a removed record back.
   *
   * @returns `ended` if the record started before the epoch and is not excepted. `unknown` if there is no record, or
   *   if it has expired. Otherwise the record, as it is after the write.
   */
  check(id: string, touch: RecordTouch): Awaitable<SessionRecord | 'ended' | 'unknown'>;
  /**
   * Returns the next 200 records that have not expired: fewer only if there are no more. The last seen comes first; of
   * equal ones, the one with the smaller id. Records that started before the epoch of their user are left out.
   *
   * @param skip Number of records to leave out at the beginning. Default: 0.
   */
  find(by: RecordKey, now: Date, skip?: number): Awaitable<readonly SessionRecord[]>;
  /** Deletes records. Returns the ids of those that existed: of two simultaneous calls, one gets an id. */
  remove(ids: readonly string[]): Awaitable<readonly string[]>;
  /**
   * Ends all sessions of a user that started before an instant. Of two epochs, the one with the later `before` is kept.
   * If both have the same `before`, a session is excepted only if both except it. The later `expires` of both is kept.
   */
  endBefore(userId: string, epoch: SessionEpoch): Awaitable<void>;
  /**
   * Deletes expired records and epochs. Returns their number.
   *
   * @param now Default: the system's clock.
   */
  cleanup?(now?: Date): Awaitable<number>;
}

/** How session records are kept. */
export interface SessionRecordsOptions {
  /** Keeps the records. Default: the adapter's member `sessionRecords`. */
  store?: SessionRecords | undefined;
  /**
   * Seconds that a process trusts its last look at a record, from 0 to 300. A JWT session that has ended stays usable
   * for at most this time. `0`: each read calls the store. No effect on database sessions. Default: 10.
   */
  revocationLag?: number | undefined;
  /**
   * How many sessions a user may have, from 1 to 1000. A further sign-in ends the one that was seen longest ago.
   * Default: any number.
   */
  maxPerUser?: number | undefined;
  /**
   * Returns the name of a browser in the list, at most 80 characters. `false`: no name. Default: browser and system
   * from the `User-Agent` header, for example `Chrome on Windows`.
   */
  label?: ((headers: Headers) => string | undefined) | false | undefined;
  /** Keep the beginning of the visitor's address: an IPv4 /24 or an IPv6 /48. Default: `false`. */
  network?: boolean | undefined;
}

/** A session in the list that its user sees. */
export interface SessionInfo {
  /** For `end`. Not a secret. */
  id: string;
  /** It is the session of this request. */
  current: boolean;
  /** The browser, for example `Chrome on Windows`. */
  label?: string | undefined;
  /** The beginning of the visitor's address, with the option `network`. */
  network?: string | undefined;
  /** Id of the provider. */
  provider?: string | undefined;
  /** When the visitor signed in. */
  startedAt: Date;
  /** When the session was last used. Written at most once in ten minutes, or once in half of `session.maxAge`. */
  seenAt: Date;
  /** When the session expires unless it is used again. */
  expires: Date;
}

/** The result of ending sessions. */
export interface EndedSessions {
  /**
   * How many sessions were ended. 0 for an id that is unknown, or that belongs to another user. If all sessions of a
   * user end, at most 2,000 are counted.
   */
  count: number;
  /** Seconds until no process accepts them any longer. */
  within: number;
}

/** The sessions of the visitor. */
export interface VisitorSessions {
  /** Returns the visitor's sessions, at most 100. The last seen comes first. Empty if the visitor is not signed in. */
  list(): Promise<SessionInfo[]>;
  /**
   * Ends a session of the visitor. If it is the session of this request, the visitor is signed out.
   *
   * @param id From {@link list}. An id of another user ends nothing.
   * @throws {CookiesNotWritable} Before any change, where the framework does not allow cookies. So do the others.
   */
  end(id: string): Promise<EndedSessions>;
  /** Ends all sessions of the visitor but this one. */
  endOthers(): Promise<EndedSessions>;
  /** Ends all sessions of the visitor, who is signed out. */
  endAll(): Promise<EndedSessions>;
}
