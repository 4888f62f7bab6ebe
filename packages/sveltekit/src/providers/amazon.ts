export * from '@latchkey/core/providers/amazon';
export { default } from '@latchkey/core/providers/amazon';
