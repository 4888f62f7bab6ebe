export { handle } from './auth.ts';

/** Kit's own would print every error that a test provokes. */
export const handleError = () => ({ message: 'broken' });
