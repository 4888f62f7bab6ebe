export * from '@latchkey/core/providers/shopify';
export { default } from '@latchkey/core/providers/shopify';
