export default {
  outputFileTracingRoot: `${import.meta.dirname}/..`,
  turbopack: { root: `${import.meta.dirname}/..` },
  eslint: { ignoreDuringBuilds: true },
  typescript: { ignoreBuildErrors: true },
  experimental: { cpus: 1 },
};
