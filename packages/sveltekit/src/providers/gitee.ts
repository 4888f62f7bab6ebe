export * from '@latchkey/core/providers/gitee';
export { default } from '@latchkey/core/providers/gitee';
