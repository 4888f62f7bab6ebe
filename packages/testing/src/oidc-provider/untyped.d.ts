/** The npm package has no types; `library.ts` says what we use of it. */
declare module 'oidc-provider' {
  export const Provider: unknown;
}
