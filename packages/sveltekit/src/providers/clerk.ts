export * from '@latchkey/core/providers/clerk';
export { default } from '@latchkey/core/providers/clerk';
