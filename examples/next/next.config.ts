import type { NextConfig } from 'next';

const config: NextConfig = { poweredByHeader: false };

const basePath = process.env['BASE_PATH'];

/** With BASE_PATH=/shop all is below that path. One build does not replace the other. */
const below: NextConfig = {
  basePath: basePath ?? '',
  distDir: `build${basePath}`,
  typescript: { tsconfigPath: 'tsconfig.below.json', ignoreBuildErrors: true },
};

export default basePath ? { ...config, ...below } : config;
