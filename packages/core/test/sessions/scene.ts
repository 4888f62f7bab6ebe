import type { AuthConfig, SessionRecordsOptions } from '@latchkey/core/types';
import {
  type Application,
  application,
  type Browser,
  Clock,
  type MemoryAdapter,
  MemorySessionRecords,
  memoryAdapter,
} from '@latchkey/testing';
import { type Settings, settingsFor } from '../../src/config/settings.ts';

export const strategies = ['jwt', 'database'] as const;

export type Strategy = (typeof strategies)[number];

export const DAY = 86_400;

export const ADA = { user: { email: 'ada@example.com' } };

/** The session cookie of http. */
export const SESSION = 'authjs.session-token';

export interface Site {
  readonly app: Application<MemoryAdapter>;
  readonly records: MemorySessionRecords;
  readonly settings: Settings;
}

export interface SiteOptions {
  readonly strategy: Strategy;
  readonly session?: AuthConfig['session'];
  readonly records?: Partial<SessionRecordsOptions>;
  readonly config?: Partial<AuthConfig>;
  /** The adapter has the methods of Latchkey. Default: `true`. */
  readonly optional?: boolean;
}

/** Makes an application with two providers that keeps records, with one process. */
export function makeSite({ strategy, session, records, config, optional = true }: SiteOptions): Site {
  const clock = wholeSecond();
  // Contract adapters have fewer methods; these tests only inspect the common ones.
  const adapter = memoryAdapter({ optional, now: clock.now }) as MemoryAdapter;
  const store = MemorySessionRecords({ now: clock.now });
  const app = application({
    adapter,
    clock,
    config: ({ provider }) => ({
      providers: [provider.provider(), provider.provider({ id: 'second' })],
      ...config,
      session: { strategy, ...session, records: { store, ...records } },
    }),
  });
  return { app, records: store, settings: settingsFor(app.config) };
}

/** Returns a clock that stands at the current time. Tokens that a test makes itself are issued at that time. */
export function wholeSecond(): Clock {
  return new Clock(new Date(Math.floor(Date.now() / 1000) * 1000));
}

/** Another process of the same application: it remembers nothing of the first. */
export function secondProcess({ app, records }: Site): Application<MemoryAdapter> {
  const own = typeof app.config.session?.records === 'object' ? app.config.session.records : {};
  const session = { ...app.config.session, records: { ...own, store: { ...records } } };
  return application({
    adapter: app.adapter,
    clock: app.clock,
    provider: app.provider,
    config: { ...app.config, providers: [...app.config.providers], logger: app.log, session },
  });
}

/** Returns a browser of an application with a copy of the session cookies of another browser. */
export function copyTo(app: Application<MemoryAdapter>, from: Browser): Browser {
  const copy = app.visitor();
  for (const { name, value } of from.cookies.all()) {
    if (name === SESSION || name.startsWith(`${SESSION}.`)) copy.cookies.set(name, value);
  }
  return copy;
}

/** Returns the number of calls of a step so far. */
export function callsOf({ records }: Site, ...steps: readonly string[]): number {
  return records.calls.filter(({ step }) => steps.length === 0 || steps.includes(step)).length;
}

/** Returns the events `sessionEnded` so far. */
export function ended({ app }: Site): readonly { userId: string; id: string; reason: string }[] {
  return app.events.flatMap((event) => (event[0] === 'sessionEnded' ? [event[1]] : []));
}

/** Returns the only record. */
export function onlyRecord({ records }: Site): ReturnType<MemorySessionRecords['dump']>['records'][number] {
  const [record, ...others] = records.dump().records;
  if (!record || others.length > 0) throw new Error(`there are ${others.length + (record ? 1 : 0)} records`);
  return record;
}

export const DOWN = { times: Number.POSITIVE_INFINITY } as const;

/** Makes all steps of the record store fail. */
export function stop({ records }: Site): void {
  for (const step of ['create', 'check', 'find', 'remove', 'endBefore'] as const) records.fail(step, DOWN);
}
