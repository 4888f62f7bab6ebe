export * from '@latchkey/core/providers/orcid';
export { default } from '@latchkey/core/providers/orcid';
