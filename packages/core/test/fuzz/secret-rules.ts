import { SERVER_MARK, VISITOR_MARK } from './marks.ts';
import { providerIn } from './proofs.ts';
import type { Trial } from './rules.ts';

/** Secrets where they do not belong. */
export function secretFaults(trial: Trial): (string | false)[] {
  const { app, sent, answer } = trial;
  const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const answered = `${head}\n${answer.body}`;
  const logged = app.log.text();
  const verifiers = Object.values(app.providers).flatMap((provider) => [...provider.verifiers]);
  const sessions = [...(app.shelf?.rows.sessions.keys() ?? [])];
  return [
    answered.includes(SERVER_MARK) && 'answers with a secret of the server',
    logged.includes(SERVER_MARK) && `logs a secret of the server: ${around(logged, SERVER_MARK)}`,
    verifiers.some((verifier) => answered.includes(verifier)) && 'answers with a code verifier',
    verifiers.some((verifier) => logged.includes(verifier)) && 'logs a code verifier',
    sessions.some((token) => logged.includes(token)) && 'logs a session token',
    isInPlace(sent) &&
      logged.includes(VISITOR_MARK) &&
      `logs what a visitor keeps secret: ${around(logged, VISITOR_MARK)}`,
    isInPlace(sent) && !mayRepeat(trial) && answered.includes(VISITOR_MARK) && 'repeats what a visitor keeps secret',
    SEALED.test(logged) && `logs a sealed value: ${around(logged, SEALED.exec(logged)?.[0] ?? '')}`,
  ];
}

/** A whole value as we seal it. */
const SEALED = /eyJ[\w-]{40,}\.[\w-]*\.[\w-]{16,}\.[\w-]{16,}/;

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return JSON.stringify(text.slice(Math.max(at - 300, 0), at + 100));
}

/** Names of the fields that contain secrets. Other fields, such as an email address, may appear in a response. */
const PLACES: ReadonlySet<string> = new Set(['code', 'token', 'password']);

/** Are the visitor's secrets where they belong? */
function isInPlace({ origin, target, body, headers, method }: Trial['sent']): boolean {
  const url = new URL(origin + target);
  const strange = [...url.searchParams, ...new URLSearchParams(body)].filter(
    ([name, value]) => value.includes(VISITOR_MARK) && !PLACES.has(name),
  );
  const isElsewhere = headers.some(([, value]) => value.includes(VISITOR_MARK)) || url.pathname.includes(VISITOR_MARK);
  const isJson = method === 'POST' && body.includes('{');
  return strange.length === 0 && !isElsewhere && !isJson;
}

/** The page that asks for confirmation has the token in its form; a proxy hands codes on. */
function mayRepeat({ app, sent, answer }: Trial): boolean {
  const isAsked =
    answer.headers.get('content-type')?.startsWith('text/html') === true && providerIn(sent) === 'careful';
  const isProxy = app.config.redirectProxyUrl !== undefined;
  return isAsked || isProxy;
}
