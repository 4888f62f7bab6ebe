/** The npm package has no types. `library.ts` describes the members that are used. */
declare module 'oidc-provider' {
  export const Provider: unknown;
}
