import { query } from '@solidjs/router';
import { inboxAddress, nameOfVisitor, sessionData } from './visitor-data.ts';

/** The data of the pages, which the router keeps for a moment. */
export const readSession = query(sessionData, 'session');
export const readName = query(nameOfVisitor, 'name');
export const inboxUrl = query(inboxAddress, 'inbox');
