import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** The flags of the authenticator data (WebAuthn §6.1). */
export interface PasskeyFlags {
  /** A person touched the authenticator. */
  readonly userPresent: boolean;
  /** The authenticator verified the person. */
  readonly userVerified: boolean;
  /** The passkey may be copied. */
  readonly backupEligible: boolean;
  /** The passkey has been copied. */
  readonly backedUp: boolean;
}

/** The client data of the browser, which is part of the signature (WebAuthn §5.8.1). */
export interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
  readonly crossOrigin: boolean;
  readonly topOrigin?: string | undefined;
}

/** A new passkey in the authenticator data (WebAuthn §6.5.2). */
interface AttestedCredential {
  readonly id: Uint8Array;
  /** COSE_Key. */
  readonly publicKey: Uint8Array;
}

/** Returns the bytes of the client data, which are hashed and sent. */
export function clientDataBytes(data: ClientData): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(data));
}

/** Returns authenticator data (WebAuthn §6.1). */
export function authenticatorData(
  rpId: string,
  flags: PasskeyFlags,
  counter: number,
  attested?: AttestedCredential,
): Uint8Array<ArrayBuffer> {
  const { userPresent, userVerified, backupEligible, backedUp } = flags;
  const bits = [userPresent && 0x01, userVerified && 0x04, backupEligible && 0x08, backedUp && 0x10, attested && 0x40];
  const head = Buffer.alloc(37);
  sha256(new TextEncoder().encode(rpId)).copy(head);
  head.writeUInt8(
    bits.reduce<number>((sum, bit) => sum + Number(bit || 0), 0),
    32,
  );
  head.writeUInt32BE(counter, 33);
  return new Uint8Array(Buffer.concat([head, ...(attested ? [attestedBytes(attested)] : [])]));
}

function attestedBytes({ id, publicKey }: AttestedCredential): Buffer {
  const head = Buffer.alloc(18);
  head.writeUInt16BE(id.length, 16);
  return Buffer.concat([head, id, publicKey]);
}

/** Returns the signed bytes: the authenticator data and the hash of the client data (WebAuthn §6.3.3). */
export function signedBytes(authData: Uint8Array, clientData: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([authData, sha256(clientData)]));
}

/** Returns an attestation object (WebAuthn §6.5.4). */
export function attestationObject(
  format: string,
  authData: Uint8Array,
  statement: ReadonlyMap<string, Cbor>,
): Uint8Array<ArrayBuffer> {
  return toCbor(
    new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ]),
  );
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

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

/** Signs as WebAuthn §6.5.5 requires: ECDSA in ASN.1, other signatures as they are. */
export function signWith({ algorithm, privateKey }: PasskeyKey, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sign(algorithm === 'EdDSA' ? null : 'sha256', data, privateKey));
}

/**
 * Returns the public key as a COSE_Key (RFC 9052 §7).
 *
 * @param claimed The COSE number of the algorithm in the result. Default: the algorithm of the key.
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

/** A value of a WebAuthn message. Maps are written in their own order, which must be the canonical order of CTAP2. */
export type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

/** Writes integers, text, bytes and maps as CBOR (RFC 8949 §3). */
function toCbor(value: Cbor): Uint8Array<ArrayBuffer> {
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

/** Returns the initial byte and the argument of a data item. */
function head(type: number, argument: number): number[] {
  const first = type << 5;
  if (argument < 24) return [first | argument];
  if (argument < 0x100) return [first | 24, argument];
  return [first | 25, argument >> 8, argument & 0xff];
}
