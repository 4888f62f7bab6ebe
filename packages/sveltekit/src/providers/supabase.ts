export * from '@latchkey/core/providers/supabase';
export { default } from '@latchkey/core/providers/supabase';
