/** Different texts that databases confuse, cut, change or refuse. */
// biome-ignore format: one list
export const hostileTexts: readonly string[] = [
  '', ' ', 'a', 'A', 'a ', 'a  ', ' a', 'a\t', 'a\n', 'a\r\n', 'a\u00a0', 'a\u3000', '\uff41', '\u00e1', 'a\u0301',
  '\u00e0', '\u00df', 'ss', '\u1e9e', 'i', 'I', '\u0131', '\u0130', '\ufb00', 'ff', '\u2126', '\u03a9', 'ς', 'σ',
  '\uac00', '\u1100\u1161', '😀', '🎉', '👩‍👩', '\ufffd', '\ufeff', '\ufeffa', '\u200b', 'a\u200b', '\u202ea', '\u001a',
  '\u0007', '\u007f', '\0', 'a\0', 'a\0b', "'", "''", "\\'", '\\', '\\\\', '"', '`', '%', '_', '$1', '?', ':name',
  '--', '/* */', "'; drop table things; --", '\\0', '\\x00', 'null', '0', '00', '1', '1.0', '1e0',
  '2026-03-01T12:00:00.000Z', '[object Object]', '{"a":1}', '\ud83d', '\ude00', 'a\ud83d', '\ude00\ud83d',
  'k'.repeat(255), 'k'.repeat(256), '😀'.repeat(255), '😀'.repeat(256), 'k'.repeat(1200), 'k'.repeat(1201),
  '€'.repeat(400), '€'.repeat(401),
];
