/** What a WebAuthn message is made of. Maps keep their order, which is the one to be written (CTAP2 canonical form). */
export type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

/** Writes a value as CBOR (RFC 8949 §3), as far as authenticators do: integers, text, bytes, maps. */
export function toCbor(value: Cbor): Uint8Array<ArrayBuffer> {
  return new Uint8Array(itemOf(value));
}

function itemOf(value: Cbor): number[] {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return withLength(3, new TextEncoder().encode(value));
  if (value instanceof Uint8Array) return withLength(2, value);
  return [...head(5, value.size), ...[...value].flatMap(([key, member]) => [...itemOf(key), ...itemOf(member)])];
}

function withLength(type: number, bytes: Uint8Array): number[] {
  return [...head(type, bytes.length), ...bytes];
}

/** The initial byte and the argument of a data item. */
function head(type: number, argument: number): number[] {
  const first = type << 5;
  if (argument < 24) return [first | argument];
  if (argument < 0x100) return [first | 24, argument];
  return [first | 25, argument >> 8, argument & 0xff];
}
