import { defineConfig, type FullAuthConfig } from 'auth-astro';

/** The configuration of the test that runs this application. */
export default defineConfig((globalThis as unknown as { wrapperConfig: FullAuthConfig }).wrapperConfig);
