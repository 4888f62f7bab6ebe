export * from '@latchkey/core/providers/openstreetmap';
export { default } from '@latchkey/core/providers/openstreetmap';
