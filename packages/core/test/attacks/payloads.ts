/** Addresses that some redirect check or other has taken for our own; `ours` is `http://localhost:3000`. 103 of them. */
export const openRedirects: readonly string[] = [
  // Another site, plainly.
  'https://evil.example', 'http://evil.example', 'HTTPS://EVIL.EXAMPLE', 'https://evil.example:443/', 'https://evil.example/%2f..', 'https://evil.example?http://localhost:3000', 'https://evil.example#http://localhost:3000', 'https://evil.example\\@localhost:3000', 'https://1113982867/', 'https://0x42.0x66.7.147/', 'https://[::ffff:6660:793]/', 'ftp://evil.example/',
  // Without a protocol.
  '//evil.example', '///evil.example', '////evil.example', '//evil.example/%2f..', '//evil%2eexample', '//evil。example', '//evil.example:80', '//[::1]:9000', '//localhost', '//localhost:3001', '//user@evil.example', '//localhost:3000@evil.example', '//evil.example\\@localhost:3000', '//;@evil.example', '//%5cevil.example', '//\u202eelpmaxe.live',
  // Backslashes, which browsers take for slashes.
  '/\\evil.example', '\\/evil.example', '\\\\evil.example', '/\\/evil.example', '\\/\\/evil.example', '/\\\\evil.example', '\\evil.example', '/\\\tevil.example', 'https:\\\\evil.example', 'https:/\\evil.example', 'http:\\/evil.example',
  // A protocol with too few or too many slashes.
  'https:evil.example', 'https:/evil.example', 'https:///evil.example', 'https:////evil.example', 'http:evil.example', 'http:/evil.example', 'https:\\evil.example', 'http:;@evil.example',
  // Blanks and controls, which browsers drop.
  ' https://evil.example', '\thttps://evil.example', '\nhttps://evil.example', '\r\nhttps://evil.example', '/\t/evil.example', '/\n/evil.example', '/\r/evil.example', '/\r\n/evil.example', '\t//evil.example', ' //evil.example', '\0//evil.example', '/\0/evil.example', 'ht\ntps://evil.example', 'https\t://evil.example', '\u00a0//evil.example', '\ufeff//evil.example', '\x01https://evil.example', 'https:/\t/evil.example', '/%09/evil.example',
  // Our name in the wrong place.
  'http://localhost:3000@evil.example', 'http://localhost:3000:x@evil.example', 'http://localhost:3000%40evil.example', 'http://localhost:3000.evil.example', 'http://localhost.evil.example:3000', 'http://localhost:30001', 'http://localhost:300', 'http://localhost', 'https://localhost:3000', 'http://evil.example/http://localhost:3000', 'http://localhost:3000\\.evil.example', 'http://xlocalhost:3000', 'http://localhost:3000&@evil.example', 'http://localhost:3000#@evil.example', 'http://localhost:3000?@evil.example', 'http://localhost%2eevil.example:3000', 'http://ⓛocalhost.evil.example:3000', 'http://127.0.0.1:3000', 'ws://localhost:3000',
  // Texts that are not addresses of pages.
  'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', 'javascript://localhost:3000/%0aalert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:msgbox(1)', 'file:///etc/passwd', 'blob:http://localhost:3000/x', 'about:blank', 'view-source:http://localhost:3000', 'mailto:a@evil.example', 'evil.example', '.evil.example', '@evil.example', '?//evil.example', '#//evil.example', '%2f%2fevil.example', '%68ttps://evil.example',
]; // biome-ignore format: a list to be read across
