export * from '@latchkey/core/providers/forgejo';
export { default } from '@latchkey/core/providers/forgejo';
