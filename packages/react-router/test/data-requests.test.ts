import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDataRequests } from './contract/data-requests.ts';
import { app, buildApp, serve } from './contract/start.ts';

describe("requests of React Router's client", () => testDataRequests(async () => serve(await buildApp(app))));

it('the browser bundle has no code of the binding or the configuration', () => {
  const folder = join(app, 'build/client');
  const text = globSync('**/*.js', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(text.length).toBeGreaterThan(5);
  for (const server of ['session-token', 'CredentialsSignin', 'a-secret-of-the-contract']) {
    expect(text.filter((each) => each.includes(server))).toEqual([]);
  }
});
