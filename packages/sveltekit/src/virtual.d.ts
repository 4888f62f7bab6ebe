// Modules that Kit's compiler provides.

declare module '$app/environment' {
  /** Whether Kit runs the application to prerender its pages. */
  export const building: boolean;
}

declare module '$env/dynamic/private' {
  export const env: Record<string, string | undefined>;
}

declare module '*.svelte' {
  // The types are in `components/props.ts`.
  const component: never;
  export default component;
}
