import { askFor } from '@latchkey/core/client';
import type { PublicProvider, Session } from '@latchkey/core/types';
import { actionsAddress } from './addresses.ts';

/** Milliseconds after which the session is asked for again, instead of waited for. */
const PATIENCE = 30_000;

/** `GET session`, or with `body` `POST session`. */
export async function requestSession(init?: RequestInit): Promise<Session | null> {
  const answer = (await askFor(`${actionsAddress()}/session`, {
    signal: AbortSignal.timeout?.(PATIENCE) ?? null,
    ...init,
  })) as Session | null;
  return Object.keys(answer ?? {}).length > 0 ? answer : null;
}

/** The token that each form of ours carries; `''` where it cannot be had, and the form will be refused. */
export async function getCsrfToken(): Promise<string> {
  const answer = await orNull(askFor(`${actionsAddress()}/csrf`));
  return (answer as { csrfToken: string } | null)?.csrfToken ?? '';
}

/** The ways to sign in by their ids; `null` where they cannot be had. */
export async function getProviders(): Promise<Record<string, PublicProvider> | null> {
  return (await orNull(askFor(`${actionsAddress()}/providers`))) as Record<string, PublicProvider> | null;
}

/** `null` instead of a failure, which is told to the console. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    console.error(error);
    return null;
  }
}
