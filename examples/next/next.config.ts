import type { NextConfig } from 'next';

const config: NextConfig = { poweredByHeader: false };

const basePath = process.env['BASE_PATH'];

/** With BASE_PATH=/shop, all URLs are below that path. This build has a folder of its own. */
const below: NextConfig = {
  basePath: basePath ?? '',
  distDir: `build${basePath}`,
  typescript: { tsconfigPath: 'tsconfig.below.json', ignoreBuildErrors: true },
};

export default basePath ? { ...config, ...below } : config;
