// The files of this folder, by hand; a test compares.

/** Ids of the built-in OAuth and OIDC providers. */
export type OAuthProviderId = 'auth0' | 'github' | 'google' | 'keycloak';

/** Ids of the built-in providers that mail links. */
export type EmailProviderId = 'email' | 'nodemailer';
