// The types of Auth.js, from the folder of the peer.
import type { AuthConfig } from '../peers/authjs/node_modules/@auth/core/index.js';

export type * as adapters from '../peers/authjs/node_modules/@auth/core/adapters.js';
export type * as errors from '../peers/authjs/node_modules/@auth/core/errors.js';
export type * as core from '../peers/authjs/node_modules/@auth/core/index.js';
export type * as jwt from '../peers/authjs/node_modules/@auth/core/jwt.js';
export type * as apple from '../peers/authjs/node_modules/@auth/core/providers/apple.js';
export type * as credentials from '../peers/authjs/node_modules/@auth/core/providers/credentials.js';
export type * as email from '../peers/authjs/node_modules/@auth/core/providers/email.js';
export type * as facebook from '../peers/authjs/node_modules/@auth/core/providers/facebook.js';
export type * as github from '../peers/authjs/node_modules/@auth/core/providers/github.js';
export type * as google from '../peers/authjs/node_modules/@auth/core/providers/google.js';
export type * as providers from '../peers/authjs/node_modules/@auth/core/providers/index.js';
export type * as entra from '../peers/authjs/node_modules/@auth/core/providers/microsoft-entra-id.js';
export type * as nodemailer from '../peers/authjs/node_modules/@auth/core/providers/nodemailer.js';
export type * as passkey from '../peers/authjs/node_modules/@auth/core/providers/passkey.js';
export type * as resend from '../peers/authjs/node_modules/@auth/core/providers/resend.js';
export type * as types from '../peers/authjs/node_modules/@auth/core/types.js';

/** The configuration without the symbols, of which only our own count. */
export type TheirConfig = Omit<AuthConfig, 'raw' | 'skipCSRFCheck'>;
