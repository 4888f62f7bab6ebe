/** Stands in every secret that only the server and its providers know. It must be in no answer and no log. */
export const SERVER_MARK = 'Zq5erver';
/** Part of each secret that a visitor sends. Logs must not contain it, and only few responses may. */
export const VISITOR_MARK = 'Zq7yped';
/** Stands in text that is sent to be written onto pages; as an element it is on none. */
export const ELEMENT = '<zq';

export const SECRET = `${SERVER_MARK}-secret-of-more-than-32-characters`;
export const CLIENT_SECRET = `${SERVER_MARK}-client-secret-of-more-than-32-characters`;
export const PASSWORD = `${VISITOR_MARK}-password`;

export const ADA = 'ada@example.com';
/** Has a password, and is in every store. */
export const CAROL = 'carol@example.com';
/** An existing user. No request may sign in as Bob or change him. */
export const BOB = 'bob@example.com';

/** The one instant of all cases, so that what was recorded stays valid. */
export const NOW: Date = new Date();
