import { languageOf } from '../config/language.ts';
import { pagePath } from '../config/paths.ts';
import { providersOf } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { renewCsrfToken } from '../guards/csrf.ts';
import { lazily } from '../lazy.ts';
import type { Language } from '../messages/en.ts';
import { endAllSessions, endSession } from '../session/end.ts';
import { endedSessions, listSessions } from '../session/list.ts';
import { revisionCookies } from '../session/revision.ts';
import * as session from '../session/session.ts';
import type { SessionInfo, SessionRecord } from '../types/session-records.ts';
import { methodInWords } from '../views/method.ts';
import { sessionsPage } from '../views/sessions.ts';
import { pageReply } from '../wire/page.ts';
import { scriptUrl } from './asset.ts';
import { wantsJson } from './replies.ts';
import { noCache } from './session.ts';

const notices = lazily(() => import('../account/notices.ts'));

/** `GET sessions`: the visitor's sessions, as a page or, for scripts, as JSON. */
export async function showSessions(context: Context): Promise<Reply> {
  const { settings, origin, basePath, csrfToken, now } = context;
  const current = await session.currentRecord(context);
  if (wantsJson(context.incoming)) {
    return { headers: noCache, body: { sessions: current ? await sessionsOf(context, current) : [] } };
  }
  if (!current) return signInFirst(context);
  if (settings.pages.sessions) return { redirect: settings.pages.sessions };
  const sessions = await sessionsOf(context, current);
  const sessionsUrl = `${origin}${basePath}/sessions`;
  const language = await languageOf(context);
  const page = sessionsPage({
    ...{ theme: settings.pageTheme, language, origin, csrfToken, sessionsUrl, sessions, now },
    methods: methodsOf(context, language),
    scripts: [await scriptUrl(origin + basePath, 'page.js')],
  });
  return pageReply(page);
}

/**
 * `POST sessions`: ends one session, by its id, or `others`, or `all`. Sessions of other users cannot be ended: their
 * ids are unknown here.
 */
export async function endSessions(context: Context): Promise<Reply> {
  const current = await session.currentRecord(context);
  if (!current) return wantsJson(context.incoming) ? endedReply(context, 0) : signInFirst(context);
  const { end } = context.body;
  const user = end === 'all' && context.settings.account ? await session.currentUser(context) : null;
  const count = await endAsAsked(context, current, end);
  if (user) await (await notices()).notify(context, user.email, { kind: 'sessionsEnded' });
  const isOver = end === 'all' || (end === current.id && count > 0);
  const cookies = isOver ? await signedOutCookies(context) : [];
  if (wantsJson(context.incoming)) return { ...endedReply(context, count), cookies };
  return { redirect: isOver ? context.callbackUrl : sessionsAddress(context), cookies };
}

function sessionsOf({ settings, now }: Context, { userId, id }: SessionRecord): Promise<SessionInfo[]> {
  return listSessions(settings, now, userId, id);
}

/** The names of the sign-in methods by the ids of their providers. */
function methodsOf({ settings, origin, basePath }: Context, language: Language): ReadonlyMap<string, string> {
  const named = providersOf(settings, origin + basePath).map(({ type, id, name }) => ({
    type,
    id,
    name: String(name || id),
  }));
  return new Map(named.map((method) => [method.id, methodInWords(method, language)]));
}

/** Returns how many sessions were ended. */
async function endAsAsked({ settings, now }: Context, { userId, id }: SessionRecord, end: unknown): Promise<number> {
  if (end === 'all') return endAllSessions(settings, now, { userId, reason: 'user' });
  if (end === 'others') return endAllSessions(settings, now, { userId, except: id, reason: 'user' });
  return typeof end === 'string' ? endSession(settings, now, { userId, id: end, reason: 'user' }) : 0;
}

function endedReply({ settings }: Context, count: number): Reply {
  return { headers: noCache, body: endedSessions(settings, count) };
}

/** The session of the request has ended: its cookies are cleared, as by a sign-out. */
export async function signedOutCookies(context: Context): Promise<NonNullable<Reply['cookies']>> {
  const { cookies } = await session.end(context);
  return [...cookies, ...(await renewCsrfToken(context)), ...revisionCookies(context)];
}

function sessionsAddress({ settings, origin, basePath }: Context): string {
  return settings.pages.sessions ?? `${origin}${basePath}/sessions`;
}

/** The sign-in page, from which the visitor comes back. */
function signInFirst(context: Context): Reply {
  const { settings, origin, basePath } = context;
  const signIn = settings.pages.signIn ?? `${origin}${basePath}/signin`;
  return { redirect: pagePath(signIn, { callbackUrl: sessionsAddress(context), error: 'SessionRequired' }) };
}
