/** Parses the cookies of a request. Of equal names the first counts. */
export function cookiesOf(header: string | null): Record<string, string> {
  const cookies = Object.create(null) as Record<string, string>;
  if (header === null || header.length > 65_536) return cookies;
  let start = 0;
  while (start < header.length) {
    let end = header.indexOf(';', start);
    if (end === -1) end = header.length;
    const equals = header.indexOf('=', start);
    if (equals !== -1 && equals < end) {
      const name = header.slice(start, equals).trim();
      cookies[name] ??= decoded(header.slice(equals + 1, end).trim());
    }
    start = end + 1;
  }
  return cookies;
}

function decoded(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns the value of a cookie, which may be in chunks. */
export function chunked(cookies: Record<string, string>, name: string): string | undefined {
  if (cookies[name]) return cookies[name];
  let value = '';
  for (let index = 0; index < 20 && cookies[`${name}.${index}`]; index++) value += cookies[`${name}.${index}`];
  return value || undefined;
}

const memo = { second: -1, text: '' };

/** Returns the attributes of a session cookie. The text is cached for a second. */
export function sessionAttributes(expires: number): string {
  const second = Math.floor(expires / 1000);
  if (memo.second !== second) {
    memo.second = second;
    memo.text = `; Path=/; Expires=${new Date(expires).toUTCString()}; HttpOnly; SameSite=Lax`;
  }
  return memo.text;
}

export const attributes = '; Path=/; HttpOnly; SameSite=Lax';
