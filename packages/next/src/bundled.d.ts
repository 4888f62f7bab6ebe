/** Names of Next's modules that only bundlers find. Node needs the extension. */

declare module 'next/headers' {
  export * from 'next/headers.js';
}

declare module 'next/cache' {
  export * from 'next/cache.js';
}
