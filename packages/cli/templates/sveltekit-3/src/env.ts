import { defineEnvVars } from '@sveltejs/kit/env';

const optional = { schema: (value: string | undefined) => value };

/** SvelteKit provides only these variables. Add those of each provider: `AUTH_<ID>_ID`, `AUTH_<ID>_SECRET`. */
export const variables = defineEnvVars({
  AUTH_SECRET: optional,
  AUTH_URL: optional,
  AUTH_GITHUB_ID: optional,
  AUTH_GITHUB_SECRET: optional,
  //#store DATABASE_PATH: optional,
  //#store DATABASE_URL: optional,
  //#store REDIS_URL: optional,
});
