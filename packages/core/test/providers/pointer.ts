import type { Fixture, Json } from './fixture.ts';

/** A copy of a fixture with other values, and without some, by JSON pointer (RFC 6901). */
export function changed(fixture: Fixture, change: Record<string, Json> = {}, remove: readonly string[] = []): Fixture {
  const copy = structuredClone(fixture);
  for (const [pointer, value] of Object.entries(change)) {
    const { holder, name } = find(copy, pointer);
    holder[name] = value;
  }
  for (const pointer of remove) {
    const { holder, name } = find(copy, pointer);
    if (!(name in holder)) throw new Error(`the fixture has no ${pointer}`);
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  }
  return copy;
}

interface Place {
  holder: Record<string, unknown>;
  name: string;
}

function find(root: object, pointer: string): Place {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = names.pop();
  let holder = root as Record<string, unknown>;
  for (const step of names) {
    const next = holder[step];
    if (typeof next !== 'object' || next === null) throw new Error(`the fixture has no ${pointer}`);
    holder = next as Record<string, unknown>;
  }
  if (name === undefined) throw new Error(`"${pointer}" is no JSON pointer: begin it with /`);
  return { holder, name };
}

/** Returns JSON pointers to each string or number in the vendor's responses that equals `text`, ignoring case. */
export function placesOf(fixture: Fixture, text: string): string[] {
  const told = {
    idToken: fixture.idToken,
    token: { answer: fixture.token.answer },
    userinfo: (fixture.userinfo ?? []).map(({ answer }) => ({ answer })),
  };
  return search(told, text.toLowerCase(), '');
}

function search(value: unknown, text: string, at: string): string[] {
  if (typeof value === 'string' || typeof value === 'number') return String(value).toLowerCase() === text ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    search(member, text, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
