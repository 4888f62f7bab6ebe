import { describe, expectTypeOf, it } from 'vitest';
import type { SemverString } from '../../src/types.ts';

describe('versioning', () => {
  it('version strings follow the pattern `v<major>`, `v<major>.<minor>` or `v<major>.<minor>.<patch>`', () => {
    expectTypeOf<'v5' | 'v5.0' | 'v5.0.1'>().toExtend<SemverString>();
    expectTypeOf<'5.0.1' | 'v5.x' | 'latest'>().exclude<SemverString>().toEqualTypeOf<'5.0.1' | 'v5.x' | 'latest'>();
  });
});
