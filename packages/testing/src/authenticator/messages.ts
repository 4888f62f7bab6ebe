import { createHash } from 'node:crypto';
import { type Cbor, toCbor } from './cbor.ts';

/** What an authenticator reports about a ceremony (WebAuthn §6.1). */
export interface PasskeyFlags {
  /** Somebody was there. */
  readonly userPresent: boolean;
  /** The person proved to be the owner. */
  readonly userVerified: boolean;
  /** The passkey may be copied. */
  readonly backupEligible: boolean;
  /** The passkey has been copied. */
  readonly backedUp: boolean;
}

/** What the browser signs along about the page (WebAuthn §5.8.1). */
export interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
  readonly crossOrigin: boolean;
  readonly topOrigin?: string | undefined;
}

/** A new passkey inside of authenticator data (WebAuthn §6.5.2). */
export interface AttestedCredential {
  readonly id: Uint8Array;
  /** COSE_Key. */
  readonly publicKey: Uint8Array;
}

/** The client data as it is hashed and sent. */
export function clientDataBytes(data: ClientData): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(data));
}

/** Authenticator data (WebAuthn §6.1). */
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

/** What is signed: the authenticator data and the hash of the client data (WebAuthn §6.3.3). */
export function signedBytes(authData: Uint8Array, clientData: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([authData, sha256(clientData)]));
}

/** An attestation object (WebAuthn §6.5.4). */
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
