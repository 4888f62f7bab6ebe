import type { NextConfig } from 'next';

const config: NextConfig = {
  basePath: '/shop',
  trailingSlash: true,
  headers: async () => [{ source: '/listed/', headers: [{ key: 'CDN-Cache-Control', value: 'max-age=60' }] }],
  // The tests judge its types themselves, ten times faster.
  typescript: { ignoreBuildErrors: true },
  // The application is neither downloaded nor built twice.
  experimental: { turbopackMinify: false, turbopackSourceMaps: false, turbopackFileSystemCacheForBuild: false },
};

export default config;
