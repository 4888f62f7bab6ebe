/// <reference path="./untyped.d.ts" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';

/** What we use of the npm package `oidc-provider`; this file is its only door. */
export interface OidcLibrary {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  on(event: 'server_error', listener: (context: unknown, error: Error) => void): void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: Readonly<Record<string, unknown>>,
    options: { mergeWithLastSubmission: boolean },
  ): Promise<void>;
  readonly Grant: {
    new (properties: { accountId: string; clientId: string }): Grant;
    find(id: string): Promise<Grant | undefined>;
  };
}

/** A visitor's stop at the login page. */
export interface Interaction {
  readonly uid: string;
  readonly prompt: { readonly name: string; readonly details: Readonly<Record<string, unknown>> };
  readonly params: { readonly client_id: string; readonly scope?: string; readonly login_hint?: string };
  readonly session?: { readonly accountId: string };
  readonly grantId?: string;
}

/** What a visitor lets a client know. */
export interface Grant {
  addOIDCScope(scope: string): void;
  addOIDCClaims(claims: readonly string[]): void;
  save(): Promise<string>;
}

/** The part of Koa's context that page sources get. */
export interface KoaContext {
  type: string;
  body: string;
  set(headers: Readonly<Record<string, string>>): void;
}

/** Makes a provider; the configuration is the package's own, unchecked. */
export function makeLibrary(issuer: string, configuration: Readonly<Record<string, unknown>>): OidcLibrary {
  // The one cast: there are no types to check it against.
  const Library = Provider as new (issuer: string, configuration: Readonly<Record<string, unknown>>) => OidcLibrary;
  return new Library(issuer, configuration);
}
