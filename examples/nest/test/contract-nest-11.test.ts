import { vi } from 'vitest';
import { describeContract } from './contract/suite.ts';

const { loadNest11 } = vi.hoisted(() => ({
  loadNest11: async (name: string) => (await import('../../../test/compat/load.ts')).loadCompat('nest-11', name),
}));
vi.mock('@nestjs/common', () => loadNest11('@nestjs/common'));
vi.mock('@nestjs/core', () => loadNest11('@nestjs/core'));

describeContract('Nest 11');
