export * from '@latchkey/core/providers/lineworks';
export { default } from '@latchkey/core/providers/lineworks';
