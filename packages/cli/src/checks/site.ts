import type { Loaded } from '../load/protocol.ts';
import type { Report } from './finding.ts';
import { type Answer, get, jsonObject } from './request.ts';

type Answered = Extract<Answer, { ok: true }>;

/** Checks a running site, by GET requests to its actions. */
export async function checkSite(site: URL, { basePath, providers }: Loaded, report: Report): Promise<void> {
  const path = site.pathname.replace(/\/$/, '');
  // The URL may name the base path, or the site alone.
  const base = site.origin + (path === '' || path.endsWith(basePath) ? basePath : path + basePath);
  const list = await get(`${base}/providers`);
  const known = list.ok && list.status === 200 ? jsonObject(list.body) : undefined;
  const outcome = list.ok ? `answered ${list.status}` : list.reason;
  report.check(
    'site-answer',
    !known && {
      message: `GET ${base}/providers ${list.ok && list.status === 200 ? 'did not answer with JSON' : outcome}.`,
      remedy: 'Check that the site runs, that the handler is mounted there, and `basePath`.',
      facts: { url: `${base}/providers`, status: list.ok ? list.status : 0 },
    },
  );
  if (!known || !list.ok) return;
  checkOrigin(site, known, report);
  checkSameProviders(known, providers, report);
  const csrf = await get(`${base}/csrf`);
  if (csrf.ok) checkCookies(site, csrf, report);
  await checkCaches(base, report);
  await checkRedirects(`${base}/signin`, site, report);
}

function checkOrigin(site: URL, known: Readonly<Record<string, unknown>>, report: Report): void {
  const urls = Object.values(known).flatMap((one) => {
    const url = typeof one === 'object' && one !== null ? Reflect.get(one, 'callbackUrl') : undefined;
    return typeof url === 'string' && URL.canParse(url) ? [new URL(url)] : [];
  });
  const other = urls.find(({ origin }) => origin !== site.origin);
  report.check(
    'site-origin',
    other !== undefined && {
      message: `the site believes that its origin is ${other.origin}, but it was asked at ${site.origin}.`,
      remedy: 'Set AUTH_URL to the URL of the site, or let the proxy send X-Forwarded-Host and X-Forwarded-Proto.',
      facts: { stated: other.origin, asked: site.origin },
    },
  );
}

function checkSameProviders(known: Readonly<Record<string, unknown>>, own: Loaded['providers'], report: Report): void {
  const missing = own.filter(({ id }) => !Object.hasOwn(known, id)).map(({ id }) => id);
  report.check(
    'site-providers',
    missing.length > 0 && {
      level: 'warning',
      message: `the site does not have the providers ${missing.join(', ')} of this configuration.`,
      remedy: 'Deploy the configuration, or give the URL of another site.',
      facts: { missing: missing.join(',') },
    },
  );
}

function checkCookies(site: URL, { headers }: Answered, report: Report): void {
  const lines = headers.getSetCookie();
  const isHttps = site.protocol === 'https:';
  const plain = lines.filter((line) => /^[^=]*authjs/.test(line) && !/^__(?:Host|Secure)-/.test(line));
  report.check(
    'site-cookie-prefix',
    isHttps &&
      plain.length > 0 && {
        message: `the site is at https, but the cookie ${nameOf(plain[0])} has no prefix: the application takes its requests for http.`,
        remedy: 'Set AUTH_URL to the https URL, or let the proxy send X-Forwarded-Proto.',
        facts: { cookie: nameOf(plain[0]) },
      },
  );
  const withDomain = lines.find((line) => /;\s*domain=/i.test(line));
  report.check(
    'site-cookie-domain',
    withDomain !== undefined && {
      level: 'warning',
      message: `the cookie ${nameOf(withDomain)} has a Domain, so that all subdomains get it.`,
      remedy: 'Remove `domain` from the options of the cookie, unless the subdomains share the session.',
      facts: { cookie: nameOf(withDomain) },
    },
  );
  report.check(
    'site-cookie-lost',
    lines.length === 0 && {
      message: 'the answer to GET csrf has no cookie: a proxy or cache has removed it.',
      remedy: 'Let the proxy pass Set-Cookie, and do not cache the actions.',
    },
  );
}

function nameOf(line = ''): string {
  return line.slice(0, line.indexOf('=')).trim();
}

/** Two visitors must not get the same answer. */
async function checkCaches(base: string, report: Report): Promise<void> {
  const [one, other] = [await get(`${base}/csrf`), await get(`${base}/csrf`)];
  if (!one.ok || !other.ok) return;
  const hit = ['x-cache', 'cf-cache-status', 'x-vercel-cache', 'x-nextjs-cache', 'cache-status'].find((name) =>
    /\bhit\b/i.test(other.headers.get(name) ?? ''),
  );
  const isSame = one.body !== '' && one.body === other.body;
  report.check(
    'site-cached',
    (hit !== undefined || isSame || Number(other.headers.get('age')) > 0) && {
      message: `answers of ${base} come from a shared cache: ${isSame ? 'two visitors got the same CSRF token' : `header ${hit ?? 'age'}`}.`,
      remedy: 'Do not cache paths below the base path of the actions.',
      facts: { header: hit ?? 'age' },
    },
  );
}

/** More hops than a sign-in page needs. */
const HOPS = 5;

/** Follows redirects within the site. */
async function checkRedirects(start: string, site: URL, report: Report): Promise<void> {
  const seen = new Set<string>();
  let url = start;
  while (!seen.has(url) && seen.size < HOPS) {
    seen.add(url);
    const answer = await get(url, fetch, { headers: { accept: 'text/html' } });
    const location = answer.ok && answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    const next = location === null ? null : URL.parse(location, url);
    if (!next || next.host !== site.host) {
      report.check('site-redirect-loop');
      return;
    }
    next.hash = '';
    url = next.href;
  }
  report.add('site-redirect-loop', {
    message: `GET ${start} is redirected in a loop (${[...seen].map((one) => new URL(one).pathname).join(' → ')}).`,
    remedy: 'Let the guard of your pages pass the sign-in page and the actions. Behind a proxy, check AUTH_URL.',
    facts: { url: start },
  });
}
