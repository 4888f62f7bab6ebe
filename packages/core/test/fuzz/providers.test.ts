import fc from 'fast-check';
import { decodeJwt, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SetCookie } from './answers.ts';
import { application } from './application.ts';
import { NOW } from './marks.ts';
import { verifyingKey } from './outside.ts';
import { providerIn } from './proofs.ts';
import { misanswerOf, type ProviderChange, providerChange, type Told } from './provider-changes.ts';
import type { Trial } from './rules.ts';
import { type Case, fuzz, type More, PATIENCE } from './run.ts';
import { type Scenery, sceneries } from './scenery.ts';
import { doors } from './sent.ts';

let all: readonly Scenery[] = [];
beforeAll(async () => {
  all = (await sceneries()).filter(({ app }) => !app.variant.broken);
});

const ASKING = /(signin|callback)\/(fake|plain|form)(\?.*)?$/;

interface Drawn {
  readonly scenery: number;
  readonly seed: number;
  readonly door: number;
  readonly changes: readonly ProviderChange[];
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  scenery: fc.nat(1000),
  seed: fc.nat(1000),
  door: fc.nat(doors.length - 1),
  changes: fc.array(providerChange, { minLength: 1, maxLength: 2 }),
});

const told: Told = {};

/** Uses a new application, so that no cached response replaces the changed one. */
function prepared({ scenery, seed, door, changes }: Drawn): Case {
  const { app: like, known, seeds } = all[scenery % all.length] as Scenery;
  const asking = seeds.filter(({ sent }) => ASKING.test(sent.target));
  const { sent, rows } = asking[seed % asking.length] as Scenery['seeds'][number];
  const app = application(like.variant, like);
  const code = new URL(sent.origin + sent.target).searchParams.get('code') ?? '';
  delete told.token;
  for (const provider of Object.values(app.providers))
    provider.misanswer(misanswerOf(changes, provider.claims(code), told));
  return { app, known, sent, rows, door, disturbed: 'provider' };
}

const isSession = ({ name, value }: SetCookie): boolean => name.includes('session-token') && value !== '';

/** Codes of a provider's faults, and of what an honest one may say of a visitor. */
const CODES =
  /[?&]error=(OAuthSignin|OAuthCallbackError|EmailSignin|Callback|OAuthCreateAccount|OAuthAccountNotLinked|InvalidCheck)(&|$)/;

/** After a sign-in, another library must accept the ID token. After a refusal, the error code must be stable. */
async function faults(trial: Trial): Promise<string[]> {
  const { answer, app, sent } = trial;
  const target = answer.targets[0] ?? '';
  if (!answer.cookies.some(isSession)) {
    const goes =
      /^https:.*[?&]client_id=client/.test(target) ||
      target.includes('form_post=') ||
      /partner\.example\/auth\/callback/.test(target) ||
      // A mail has to confirm the address.
      target.includes('/verify-request?');
    const isOwners = target.includes('error=Configuration');
    return goes || isOwners || CODES.test(target) ? [] : [`says nothing that is known: ${answer.status} ${target}`];
  }
  if (providerIn(sent) !== 'fake') return [];
  const token = tokenOf(told.token);
  const { fake } = app.providers;
  const right = fake.claims(new URL(sent.origin + sent.target).searchParams.get('code') ?? '');
  try {
    const { payload } = await jwtVerify(token, verifyingKey, {
      issuer: fake.issuer,
      audience: 'client',
      algorithms: ['ES256'],
      currentDate: NOW,
      clockTolerance: 31,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return payload['nonce'] === right['nonce'] ? [] : ['takes another nonce'];
  } catch (error) {
    return [`takes an ID token that is none: ${String(error)} ${JSON.stringify(decoded(token))}`];
  }
}

function tokenOf(answer: Told['token']): string {
  try {
    const { id_token } = JSON.parse(answer?.text ?? '') as { id_token?: unknown };
    return answer?.status === 200 ? String(id_token) : '';
  } catch {
    return '';
  }
}

function decoded(token: string): unknown {
  try {
    return decodeJwt(token);
  } catch {
    return token;
  }
}

describe('a provider that answers something else', () => {
  it('does not sign in without a valid proof, and shows an error code', { timeout: PATIENCE }, async () => {
    const counts = { all: 0, refused: 0 };
    const more: More = (trial) => {
      counts.all += 1;
      counts.refused += trial.answer.cookies.some(isSession) ? 0 : 1;
      return faults(trial);
    };
    await fuzz('signs in only visitors who have proven who they are', 2500, drawn, prepared, more);
    expect(counts.refused).toBeGreaterThan(counts.all / 4);
    expect(counts.refused).toBeLessThan(counts.all);
  });
});
