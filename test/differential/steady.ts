const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const JWT = /^eyJ[\w-]*(\.[\w-]*){2,4}$/;

/** A value without what differs from run to run: times become distances, random texts their kind. */
export function steady(value: unknown): unknown {
  if (value instanceof Date) return distance(value);
  if (typeof value === 'string') return steadyText(value);
  if (typeof value === 'number') return value > 1e9 && value < 1e10 ? distance(new Date(value * 1000)) : value;
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, name === 'at_hash' ? '<random>' : steady(member)]),
  );
}

function steadyText(text: string): string {
  if (UUID.test(text)) return '<uuid>';
  if (DATE.test(text)) return distance(new Date(text));
  if (JWT.test(text)) return '<token>';
  if (/^https?:/.test(text)) return steadyAddress(text) ?? text;
  return /^[\w-]{32,}$/.test(text) ? '<random>' : text;
}

/** From now, to the minute. */
function distance(instant: Date): string {
  return `<now ${Math.round((instant.getTime() - Date.now()) / 60_000)} min>`;
}

const RANDOM = new Set(['state', 'nonce', 'code_challenge', 'code']);

/** An address with its parameters in order and without what is random. */
export function steadyAddress(address: string | undefined): string | undefined {
  if (address === undefined || !address.includes('?')) return address;
  const [path, query] = address.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  params.sort();
  const pairs = [...params].map(([name, value]) => `${name}=${RANDOM.has(name) ? '<random>' : value}`);
  return `${path}?${pairs.join('&')}`;
}
