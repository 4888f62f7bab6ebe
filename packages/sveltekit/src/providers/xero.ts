export * from '@latchkey/core/providers/xero';
export { default } from '@latchkey/core/providers/xero';
