// What Kit's compiler offers, as far as we use it.

declare module '$app/environment' {
  /** Kit runs the application to prerender pages of it. */
  export const building: boolean;
}

declare module '$env/dynamic/private' {
  export const env: Record<string, string | undefined>;
}

declare module '*.svelte' {
  // Their types stand in `components/props.ts`.
  const component: never;
  export default component;
}
