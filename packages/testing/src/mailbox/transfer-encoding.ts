/** Bytes of a part's body (RFC 2045 §6), whose text stands one character per byte. Pure. */
export function decodeBody(body: string, encoding: string): Uint8Array {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64');
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    default:
      return Buffer.from(body, 'latin1');
  }
}

/** RFC 2045 §6.7: soft line breaks vanish, `=3D` is a byte. What is neither stays as it is. */
function decodeQuotedPrintable(text: string): Uint8Array {
  const joined = text.replace(/[\t ]+$/gm, '').replace(/=\r?\n/g, '');
  const decoded = joined.replace(/=([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/** A header's text with its encoded words (RFC 2047 §2, §6.2) resolved. Pure. */
export function decodeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?([^?*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi, (_, charset: string, kind: string, word: string) => {
      const body = kind.toLowerCase() === 'q' ? word.replaceAll('_', ' ') : word;
      return decodeText(decodeBody(body, kind.toLowerCase() === 'q' ? 'quoted-printable' : 'base64'), charset);
    });
}

/** Text of bytes in a charset; one that the runtime does not know is read as UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // RangeError: no such charset
  }
}
