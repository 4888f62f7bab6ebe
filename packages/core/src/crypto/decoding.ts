import { type NodeBufferConstructor, nodeModules } from './node-crypto.ts';

/** `null` where there is none; looked for at the first call. */
const at: { Buffer?: NodeBufferConstructor | null } = {};

/**
 * The bytes of a base64url text. Lenient in the unused low bits of the last character, as all decoders in use are: two
 * texts may stand for the same bytes.
 *
 * @returns `undefined` when the text is not base64url.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  if (at.Buffer === undefined) at.Buffer = nodeModules()?.Buffer ?? null;
  // A copy: what Node gives out is a piece of a larger one.
  if (at.Buffer) return new Uint8Array(at.Buffer.from(text, 'base64url'));
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
