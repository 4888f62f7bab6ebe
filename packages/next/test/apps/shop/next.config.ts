import type { NextConfig } from 'next';

const config: NextConfig = {
  basePath: '/shop',
  trailingSlash: true,
  // The tests judge its types themselves, ten times faster.
  typescript: { ignoreBuildErrors: true },
  // Nobody downloads it, and nobody builds it a second time.
  experimental: { turbopackMinify: false, turbopackSourceMaps: false, turbopackFileSystemCacheForBuild: false },
};

export default config;
