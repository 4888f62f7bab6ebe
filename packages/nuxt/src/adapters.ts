export type * from '@latchkey/core/adapters';
