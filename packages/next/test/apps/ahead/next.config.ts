import type { NextConfig } from 'next';

const config: NextConfig = {
  // Pages for all visitors are rendered at build time. Those for one visitor may be rendered before the visit.
  cacheComponents: true,
  partialPrefetching: true,
  // The application is neither downloaded nor built twice.
  typescript: { ignoreBuildErrors: true },
  experimental: { turbopackMinify: false, turbopackSourceMaps: false, turbopackFileSystemCacheForBuild: false },
};

export default config;
