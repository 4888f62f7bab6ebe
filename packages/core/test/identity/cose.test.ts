import { describe, expect, it } from 'vitest';
import { isKeyOfItsAlgorithm } from '../../src/identity/webauthn/cose.ts';

/** Writes a map of integers and bytes as CBOR. Integers are small, or have two bytes. */
function cbor(members: readonly (readonly [label: number, value: number | Uint8Array])[]): Uint8Array {
  const head = (major: number, argument: number): number[] => {
    const top = major << 5;
    if (argument < 24) return [top | argument];
    return argument < 256 ? [top | 24, argument] : [top | 25, argument >> 8, argument & 255];
  };
  const integer = (value: number): number[] => (value < 0 ? head(1, -1 - value) : head(0, value));
  const item = (value: number | Uint8Array): number[] =>
    typeof value === 'number' ? integer(value) : [...head(2, value.length), ...value];
  return new Uint8Array([
    ...head(5, members.length),
    ...members.flatMap(([key, value]) => [...integer(key), ...item(value)]),
  ]);
}

const bytes = (length: number) => new Uint8Array(length).fill(7);
const key = (type: number, algorithm: number, curve?: number) =>
  cbor([
    [1, type],
    [3, algorithm],
    [-1, curve ?? bytes(300)],
    [-2, bytes(32)],
    [-3, bytes(32)],
  ]);

describe('a public key', () => {
  it.each([
    ['ES256', key(2, -7, 1)],
    ['ES384', key(2, -35, 2)],
    ['ES512', key(2, -36, 3)],
    ['EdDSA', key(1, -8, 6)],
    ['RS256', key(3, -257)],
    ['PS512', key(3, -39)],
    ['ML-DSA-44', key(7, -48)],
    ['an algorithm that the application has listed', key(9, -999)],
  ])('belongs to its algorithm: %s', (_, bytes) => expect(isKeyOfItsAlgorithm(bytes)).toBe(true));

  it.each([
    ['ES256 with a key of RSA', key(3, -7)],
    ['ES256 with P-384', key(2, -7, 2)],
    ['ES384 with P-256', key(2, -35, 1)],
    ['ES256 without a curve', key(2, -7)],
    ['EdDSA with P-256', key(2, -8, 1)],
    ['EdDSA with X25519', key(1, -8, 4)],
    ['RS256 with P-256', key(2, -257, 1)],
    [
      'a key without algorithm',
      cbor([
        [1, 2],
        [-1, 1],
      ]),
    ],
    ['no bytes', new Uint8Array()],
    ['no map', new Uint8Array([0x83, 1, 2, 3])],
    ['a map that ends too early', key(2, -7, 1).slice(0, 6)],
    ['a map with a list', new Uint8Array([0xa1, 3, 0x80])],
    ['a map whose end is not told', new Uint8Array([0xbf, 3, 0x26, 0xff])],
  ])('does not belong to its algorithm: %s', (_, bytes) => expect(isKeyOfItsAlgorithm(bytes)).toBe(false));
});
