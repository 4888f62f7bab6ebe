/// <reference path="./untyped.d.ts" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';

/** The members of the npm package `oidc-provider` that are used. Only this file imports the package. */
export interface OidcLibrary {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  on(event: 'server_error' | 'backchannel.error', listener: (context: unknown, error: Error) => void): void;
  on(event: 'grant.success' | 'grant.error', listener: (context: GrantContext) => void): void;
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

/** The context of a token request. */
export interface GrantContext {
  readonly oidc: { readonly params?: Readonly<Record<string, unknown>> };
}

/** An interaction of a visitor with the login page. */
export interface Interaction {
  readonly uid: string;
  readonly prompt: { readonly name: string; readonly details: Readonly<Record<string, unknown>> };
  readonly params: { readonly client_id: string; readonly scope?: string; readonly login_hint?: string };
  readonly session?: { readonly accountId: string };
  readonly grantId?: string;
}

/** The scopes and claims that a visitor grants to a client. */
export interface Grant {
  addOIDCScope(scope: string): void;
  addOIDCClaims(claims: readonly string[]): void;
  save(): Promise<string>;
}

/** The members of Koa's context that the page functions receive. */
export interface KoaContext {
  type: string;
  body: string;
  set(headers: Readonly<Record<string, string>>): void;
}

/** Makes a provider. The configuration is that of the package, and is not checked. */
export function makeLibrary(issuer: string, configuration: Readonly<Record<string, unknown>>): OidcLibrary {
  // The package has no types, so a cast is necessary.
  const Library = Provider as new (issuer: string, configuration: Readonly<Record<string, unknown>>) => OidcLibrary;
  return new Library(issuer, configuration);
}
