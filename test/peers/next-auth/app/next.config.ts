import { resolve } from 'node:path';
import type { NextConfig } from 'next';

// Next.js and React are those of the repository.
const config: NextConfig = {
  turbopack: { root: resolve(process.cwd(), '../../../..') },
  // The tests check its types with Latchkey's packages in the place of Auth.js, ten times faster.
  typescript: { ignoreBuildErrors: true },
  // The application is built once and served locally only.
  experimental: { turbopackMinify: false, turbopackSourceMaps: false, turbopackFileSystemCacheForBuild: false },
};

export default config;
