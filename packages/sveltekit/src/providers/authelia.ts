export * from '@latchkey/core/providers/authelia';
export { default } from '@latchkey/core/providers/authelia';
