import type { Browser, Page } from '@latchkey/testing';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { RateLimitOptions } from '../../src/types.ts';
import { doors } from '../flows/doors.ts';
import { type Scene, type SceneOptions, scene } from '../flows/scene.ts';

/** The one door that these tests need; the limits know nothing of doors. */
export const door = doors[0] as (typeof doors)[number];

export interface LimitedScene extends Scene {
  /** How often `authorize` was asked. */
  readonly asked: { count: number };
  /** Tries a password; `right` is the right one. */
  attempt(username: unknown, password?: string, browser?: Browser): Promise<Page>;
  /** Tries so many wrong ones, one after the other; resolves to the statuses. */
  fail(times: number, username?: unknown): Promise<number[]>;
}

/** An application with names and passwords. */
export function limitedScene(
  rateLimit?: RateLimitOptions | false,
  config: Partial<AuthConfig> = {},
  options: SceneOptions = {},
): LimitedScene {
  const asked = { count: 0 };
  const provider = Credentials({
    credentials: { username: {}, password: { type: 'password' } },
    authorize: ({ username, password }) => {
      asked.count++;
      return password === 'right' ? { id: '1', name: String(username) } : null;
    },
  });
  const app = scene(door, { providers: [provider], ...(rateLimit !== undefined && { rateLimit }), ...config }, options);
  const attempt: LimitedScene['attempt'] = (username, password = 'wrong', browser = app.browser) =>
    app.post('callback/credentials', { username, password }, browser);
  return {
    ...app,
    asked,
    attempt,
    async fail(times, username = 'ada') {
      const statuses: number[] = [];
      for (let time = 0; time < times; time++) statuses.push((await attempt(username)).status);
      return statuses;
    },
  };
}

export const MINUTES = 60;

/** Posts all of these fields at once, with one token. */
export async function burst(app: Scene, path: string, all: readonly Record<string, unknown>[]): Promise<Page[]> {
  const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  return Promise.all(all.map((fields) => app.browser.post(`/auth/${path}`, { csrfToken, ...fields })));
}

/** So many of something. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** How often each status occurs. */
export function statuses(pages: readonly Page[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of pages) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
