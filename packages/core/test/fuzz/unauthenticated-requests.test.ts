import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { wellFormed } from '../properties/words.ts';
import { type Asked, asked } from './asked.ts';
import { fuzz, PATIENCE } from './run.ts';
import { type Scenery, sceneries } from './scenery.ts';
import { doors, type Header, type Sent } from './sent.ts';
import { hostileText } from './text-changes.ts';

let all: readonly Scenery[] = [];
beforeAll(async () => {
  all = await sceneries();
});

/** Bytes that are not valid UTF-8, in one of five bodies. */
const bytes = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((list) => Buffer.from(list).toString('latin1')) },
);

/** Parameters of the URL that pages show. */
const shown = fc.option(
  fc.tuple(fc.constantFrom('callbackUrl', 'email', 'error', 'code', 'reference', 'token'), hostileText.map(wellFormed)),
  { nil: undefined },
);

function targetOf(path: string, pair: readonly [string, string] | undefined): string {
  if (!pair) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams([[...pair]])}`;
}

function sentOf(
  { method, origin, path, headers, body, broken }: Asked,
  instead: string | undefined,
): Omit<Sent, 'parsed'> {
  return {
    method,
    origin,
    target: path,
    headers: Object.entries(headers).map(([name, value]): Header => [name, value]),
    body: instead ?? Buffer.from(body).toString('latin1'),
    end: broken ? 'broken' : 'whole',
  };
}

describe('a request of a visitor without secrets', () => {
  it('gets a valid response for any input', { timeout: PATIENCE }, async () => {
    const drawn = fc.record({ scenery: fc.nat(1000), asked, bytes, shown, door: fc.nat(doors.length - 1) });
    await fuzz(
      'is answered, whatever it is',
      20_000,
      drawn,
      ({ scenery, asked: one, bytes: instead, shown: pair, door }) => {
        const { app, known, seeds } = all[scenery % all.length] as Scenery;
        return {
          app,
          known,
          // Only Node hosts have body parsers.
          sent: {
            ...sentOf({ ...one, path: targetOf(one.path, pair) }, instead),
            ...(door === 1 && one.parsed !== undefined && { parsed: one.parsed }),
          },
          rows: seeds[0]?.rows,
          door,
        };
      },
    );
  });
});
