export * from '@latchkey/core/providers/cloudflare-access';
export { default } from '@latchkey/core/providers/cloudflare-access';
