export * from '@latchkey/core/providers/monday';
export { default } from '@latchkey/core/providers/monday';
