import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { elsewhere } from './elsewhere.ts';

const root = new URL('../../../../', import.meta.url);

describe('what the specification says and another package proves', () => {
  it.each(elsewhere.map(({ section, statement, file }) => [section, statement, file]))(
    '%s | %s | %s',
    (_, __, file) => {
      expect(existsSync(new URL(file, root))).toBe(true);
    },
  );
});
