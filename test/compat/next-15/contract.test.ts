import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  contractFeatures,
  serveContract,
  testingPackage,
} from '../../../packages/next/test/built/contract-application.ts';
import { build, latchkey } from '../../../packages/next/test/built/next-application.ts';
import { clientBrowser } from '../../chromium.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = `${root}packages/next/test/apps/contract`;
const application = { folder: `${here}application-contract`, next: `${here}node_modules/next` };

/** Copies the application and the packages. Next.js 15 calls a proxy middleware, and bundles with webpack. */
function lay(): void {
  const { folder } = application;
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true, filter: (path) => !/\.next$|tsconfig\.json$/.test(path) });
  for (const name of ['next', 'core', 'testing']) {
    for (const part of ['dist', 'package.json']) {
      const to = `${folder}/node_modules/@latchkey/${name}/${part}`;
      cpSync(`${root}packages/${name}/${part}`, to, { recursive: true });
    }
  }
  rmSync(`${folder}/proxy.ts`);
  writeFileSync(
    `${folder}/middleware.ts`,
    `export { auth as middleware } from './auth.ts';
export const config = { matcher: ['/guarded/:path*', '/api/guarded/:path*'] };
`,
  );
  writeFileSync(
    `${folder}/next.config.ts`,
    `export default {
  outputFileTracingRoot: '${here}',
  eslint: { ignoreDuringBuilds: true },
  typescript: { ignoreBuildErrors: true },
  outputFileTracingExcludes: { '*': ['**/*'], 'next-server': ['**/*'] },
  experimental: { cpus: 1 },
  webpack: (config) => ({ ...config, cache: false, optimization: { ...config.optimization, minimize: false } }),
};
`,
  );
}

beforeAll(() =>
  build(application, {
    from: [source, ...latchkey, testingPackage, `${here}package-lock.json`, import.meta.filename],
    lay,
  }),
);
bindingSuite(
  {
    name: 'Next.js 15',
    start: (setup) => serveContract(application, setup),
    launchBrowser: clientBrowser,
    basePath: '/api/auth',
    features: contractFeatures,
  },
  { describe, it, afterAll },
);
