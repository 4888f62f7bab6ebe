import { style } from '../shared/style';

export default defineNuxtConfig({
  modules: ['@latchkey/nuxt'],
  // The default is in `node_modules`, which the tests share.
  buildDir: '.nuxt',
  compatibilityDate: '2026-11-01',
  telemetry: false,
  app: {
    rootAttrs: { style: 'display: contents' },
    head: {
      htmlAttrs: { lang: 'en' },
      titleTemplate: '%s · Latchkey demo',
      style: [{ innerHTML: String(style).replace(/<\/?style>/g, '') }],
    },
  },
});
