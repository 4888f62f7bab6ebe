import type { Request } from 'express';

/** The place of sessions: the visitor's cookie, or the database. */
export type SessionMode = 'jwt' | 'database';

/** The plain cookie that remembers a visitor's choice. */
export const modeCookie = 'demo.sessions';

/** Reads the mode that the visitor has chosen. Default: `jwt`. */
export function readMode({ headers }: Pick<Request, 'headers'>): SessionMode {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.includes(`${modeCookie}=database`) ? 'database' : 'jwt';
}
