export * from '@latchkey/core/providers/pocket-id';
export { default } from '@latchkey/core/providers/pocket-id';
