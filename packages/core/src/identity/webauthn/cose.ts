/** Key types (RFC 9053 §7, RFC 8230 §4, RFC 9964 §3). */
const OKP = 1;
const EC2 = 2;
const RSA = 3;
const AKP = 7;

/** The key type of each COSE algorithm, and its curve if it has one (WebAuthn §5.8.5, RFC 9864). */
const kinds: ReadonlyMap<number, readonly [type: number, curve?: number]> = new Map<number, [number, number?]>([
  [-7, [EC2, 1]],
  [-9, [EC2, 1]],
  [-35, [EC2, 2]],
  [-51, [EC2, 2]],
  [-36, [EC2, 3]],
  [-52, [EC2, 3]],
  [-47, [EC2, 8]],
  [-8, [OKP, 6]],
  [-19, [OKP, 6]],
  [-53, [OKP, 7]],
  ...[-37, -38, -39, -257, -258, -259, -65_535].map((algorithm): [number, [number]] => [algorithm, [RSA]]),
  ...[-48, -49, -50].map((algorithm): [number, [number]] => [algorithm, [AKP]]),
]);

const TYPE = 1;
const ALGORITHM = 3;
const CURVE = -1;

/**
 * Returns whether the type and curve of a public key belong to the algorithm that the key names. An algorithm that is
 * not in the list has been listed by the application, and is accepted.
 *
 * @param key A COSE_Key (RFC 9052 §7) in the encoding of CTAP2.
 */
export function isKeyOfItsAlgorithm(key: Uint8Array): boolean {
  const members = readIntegers(key);
  const algorithm = members?.get(ALGORITHM);
  if (!members || algorithm === undefined) return false;
  const kind = kinds.get(algorithm);
  if (!kind) return true;
  const [type, curve] = kind;
  return members.get(TYPE) === type && (curve === undefined || members.get(CURVE) === curve);
}

/**
 * Reads the members of a CBOR map (RFC 8949 §3) whose label and value are integers. Texts and bytes are left out.
 *
 * @returns `undefined` if it is not a map, or has a member of another type.
 */
function readIntegers(bytes: Uint8Array): ReadonlyMap<number, number> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const map = readHead(view, 0);
    if (map.major !== 5) return undefined;
    const members = new Map<number, number>();
    let at = map.end;
    for (let index = 0; index < map.argument; index++) {
      const label = readHead(view, at);
      const value = readHead(view, label.end);
      if (label.major > 1 || value.major > 3) return undefined;
      at = value.end + (value.major > 1 ? value.argument : 0);
      if (value.major < 2) members.set(integerOf(label), integerOf(value));
    }
    return members;
  } catch {
    return undefined; // A RangeError: the bytes end too early.
  }
}

interface Head {
  /** 0: integer, 1: negative integer, 2: bytes, 3: text, 5: map. */
  readonly major: number;
  readonly argument: number;
  /** Index of the byte behind it. */
  readonly end: number;
}

function readHead(view: DataView, at: number): Head {
  const first = view.getUint8(at);
  const [major, info] = [first >> 5, first & 31];
  if (info < 24) return { major, argument: info, end: at + 1 };
  if (info === 24) return { major, argument: view.getUint8(at + 1), end: at + 2 };
  if (info === 25) return { major, argument: view.getUint16(at + 1), end: at + 3 };
  if (info === 26) return { major, argument: view.getUint32(at + 1), end: at + 5 };
  throw new RangeError('a longer number than a key has');
}

function integerOf({ major, argument }: Head): number {
  return major === 0 ? argument : -1 - argument;
}
