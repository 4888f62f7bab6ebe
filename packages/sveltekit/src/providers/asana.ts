export * from '@latchkey/core/providers/asana';
export { default } from '@latchkey/core/providers/asana';
