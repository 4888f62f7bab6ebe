export default defineNuxtConfig({
  modules: ['@latchkey/nuxt'],
  // The default is in `node_modules`, which the applications of the tests share.
  buildDir: '.nuxt',
  compatibilityDate: '2026-11-01',
  telemetry: false,
  experimental: { appManifest: false },
  routeRules: {
    '/swr/**': { swr: 60 },
    '/isr/**': { isr: true },
    '/prerendered': { prerender: true },
    '/api/stored': { swr: 60 },
    '/browser-only': { ssr: false },
    '/auth/**': { headers: { 'x-rule': 'contract' } },
  },
});
