import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { getToken } from '../../src/jwt.ts';
import { headerText } from '../properties/words.ts';
import { SECRET } from './marks.ts';
import { proofsIn } from './proofs.ts';
import { changedRequest, cookieChange, type RequestChange, requestChange } from './request-changes.ts';
import { type Case, check, fuzz, type More, PATIENCE } from './run.ts';
import { type Scenery, sceneries } from './scenery.ts';
import { doors, headerOf } from './sent.ts';

let all: readonly Scenery[] = [];
beforeAll(async () => {
  all = await sceneries();
});

/** A request of a sign-in as it really is, more often one that opens something, and what is changed in it. */
const drawn = (changes: fc.Arbitrary<RequestChange>): fc.Arbitrary<Drawn> =>
  fc.record({
    scenery: fc.nat(1000),
    seed: fc.nat(1000),
    opening: fc.integer({ min: 0, max: 3 }),
    door: fc.nat(doors.length - 1),
    changes: fc.array(changes, { minLength: 1, maxLength: 2 }),
  });

interface Drawn {
  readonly scenery: number;
  readonly seed: number;
  readonly opening: number;
  readonly door: number;
  readonly changes: readonly RequestChange[];
}

function prepared({ scenery, seed, opening, door, changes }: Drawn): Case {
  const { app, seeds, known } = all[scenery % all.length] as Scenery;
  const openers = seeds.filter(({ who }) => who !== undefined);
  const list = opening > 0 && openers.length > 0 ? openers : seeds;
  const { sent: right, rows } = list[seed % list.length] as Scenery['seeds'][number];
  const others = seeds.map(({ sent }) => sent);
  const sent = changes.reduce((one, change) => changedRequest(one, change, others), right);
  return { app, known, sent, rows, door };
}

describe('a request of a real sign-in', () => {
  it('opens what it should, so that the others here are worth something', { timeout: PATIENCE }, async () => {
    const whole = all.flatMap(({ app, known, seeds }) => seeds.map((seed) => ({ app, known, ...seed })));
    const openers = whole.filter(({ who }) => who !== undefined);
    expect(openers.length).toBeGreaterThan(90);
    for (const door of doors.keys()) {
      for (const { app, known, sent, rows, who } of openers) {
        const more: More = ({ answer, allowed }) => {
          const isOpen = answer.cookies.some(({ name, value }) => name.includes('session-token') && value !== '');
          return isOpen && allowed.size === 1 && allowed.has(who ?? '') ? [] : [`does not let ${who} in`];
        };
        await fuzz('opens what it should', 1, fc.constant(sent), () => ({ app, known, sent, rows, door }), more);
      }
    }
  });

  it('does no harm with one or two things changed, and opens nothing without a proof', {
    timeout: PATIENCE,
  }, async () => {
    const counts = { all: 0, closed: 0 };
    const more: More = ({ allowed }) => {
      counts.all += 1;
      counts.closed += allowed.size === 0 ? 1 : 0;
      return [];
    };
    await fuzz('does no harm with one or two things changed', 7000, drawn(requestChange), prepared, more);
    // Otherwise it would not be about refusing.
    expect(counts.closed).toBeGreaterThan(counts.all / 4);
  });

  it('does no harm with other cookies, and opens nothing with broken ones', { timeout: PATIENCE }, async () => {
    await fuzz('does no harm with other cookies', 4000, drawn(cookieChange), prepared);
  });
});

describe('getToken', () => {
  it('never throws, and takes no token that is not one', { timeout: PATIENCE }, async () => {
    const drawn = fc.record({
      scenery: fc.nat(1000),
      seed: fc.nat(1000),
      change: cookieChange,
      bearer: fc.option(headerText),
    });
    await check('never throws, and takes no token that is not one', 1000, drawn, async (one) => {
      const { app, seeds, known } = all[one.scenery % all.length] as Scenery;
      const { sent: right } = seeds[one.seed % seeds.length] as Scenery['seeds'][number];
      const sent = changedRequest(
        right,
        one.change,
        seeds.map(({ sent }) => sent),
      );
      const cookie = headerOf(sent, 'cookie') ?? '';
      const req = { headers: { cookie, ...(one.bearer !== null && { authorization: `Bearer ${one.bearer}` }) } };
      const token = await getToken({ req, secret: SECRET, secureCookie: app.origin.startsWith('https:') });
      const isKnown = proofsIn(sent, app).some(({ kind, text }) => kind === 'session' && known.has(text));
      return [token !== null && !isKnown && `takes the token of ${token.email}`];
    });
  });
});
