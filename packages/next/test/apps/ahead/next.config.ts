import type { NextConfig } from 'next';

const config: NextConfig = {
  // What is the same for everyone is made at build time, and what is cached for a visitor may be made before the visit.
  cacheComponents: true,
  partialPrefetching: true,
  // Nobody downloads it, and nobody builds it a second time.
  typescript: { ignoreBuildErrors: true },
  experimental: { turbopackMinify: false, turbopackSourceMaps: false, turbopackFileSystemCacheForBuild: false },
};

export default config;
