import type { NextConfig } from 'next';

const config: NextConfig = {
  typescript: { ignoreBuildErrors: true },
  // The application is neither downloaded nor built twice.
  experimental: { turbopackMinify: false, turbopackSourceMaps: false, turbopackFileSystemCacheForBuild: false },
};

export default config;
