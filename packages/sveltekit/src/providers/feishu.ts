export * from '@latchkey/core/providers/feishu';
export { default } from '@latchkey/core/providers/feishu';
