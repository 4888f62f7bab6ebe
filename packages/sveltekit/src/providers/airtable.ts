export * from '@latchkey/core/providers/airtable';
export { default } from '@latchkey/core/providers/airtable';
