import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Cbor, toCbor } from './cbor.ts';

/** Signature algorithms of authenticators. */
export type PasskeyAlgorithm = 'ES256' | 'RS256' | 'EdDSA';

/** COSE numbers (RFC 9053 §2, RFC 8812 §2). */
export const coseNumber: Readonly<Record<PasskeyAlgorithm, number>> = { ES256: -7, RS256: -257, EdDSA: -8 };

/** The key pair of one passkey. */
export interface PasskeyKey {
  readonly algorithm: PasskeyAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Makes a key pair. */
export function makeKey(algorithm: PasskeyAlgorithm): PasskeyKey {
  return { algorithm, ...pairOf(algorithm) };
}

function pairOf(algorithm: PasskeyAlgorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' });
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength: 2048 });
    case 'EdDSA':
      return generateKeyPairSync('ed25519');
  }
}

/** Signs as WebAuthn §6.5.5 has it: ECDSA in ASN.1, the others as they are. */
export function signWith({ algorithm, privateKey }: PasskeyKey, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sign(algorithm === 'EdDSA' ? null : 'sha256', data, privateKey));
}

/**
 * The public key as a COSE_Key (RFC 9052 §7).
 *
 * @param claimed COSE number that the key says it is for. Default: its own.
 */
export function toCose({ algorithm, publicKey }: PasskeyKey, claimed: number = coseNumber[algorithm]): Uint8Array {
  const jwk = publicKey.export({ format: 'jwk' }) as Record<string, string>;
  const bytes = (member: string): Uint8Array => new Uint8Array(Buffer.from(jwk[member] ?? '', 'base64url'));
  const members: Record<PasskeyAlgorithm, () => [number, Cbor][]> = {
    ES256: () => [
      [1, 2],
      [3, claimed],
      [-1, 1],
      [-2, bytes('x')],
      [-3, bytes('y')],
    ],
    RS256: () => [
      [1, 3],
      [3, claimed],
      [-1, bytes('n')],
      [-2, bytes('e')],
    ],
    EdDSA: () => [
      [1, 1],
      [3, claimed],
      [-1, 6],
      [-2, bytes('x')],
    ],
  };
  return toCbor(new Map(members[algorithm]()));
}
