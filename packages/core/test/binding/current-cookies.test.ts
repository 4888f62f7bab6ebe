import { currentCookieHeader } from '@latchkey/core/binding';
import { expect, it } from 'vitest';

it.each<[what: string, header: string | undefined, current: Record<string, string>, result: string]>([
  ['nothing', undefined, {}, ''],
  ['a cookie', 'a=1', { a: '1' }, 'a=1'],
  ['a cookie that was set', 'a=1', { a: '2', b: '3' }, 'a=2; b=3'],
  ['a cookie that was removed', 'a=1; b=2', { b: '2' }, 'b=2'],
  ['a cookie that was emptied', 'a=1; b=2', { a: '', b: '2' }, 'b=2'],
  [
    'a repeated cookie of which the first counts',
    'a=planted; b=2; a=own',
    { a: 'planted', b: '2' },
    'a=planted; a=own; b=2',
  ],
  ['a repeated cookie of which the last counts', 'a=planted; a=own', { a: 'own' }, 'a=planted; a=own'],
  ['a repeated cookie that was set', 'a=planted; a=own', { a: 'new' }, 'a=new'],
  ['a repeated cookie that was removed', 'a=planted; a=own; b=2', { b: '2' }, 'b=2'],
  ['a cookie that is repeated often', `${'a=x; '.repeat(20)}a=own`, { a: 'x' }, `${'a=x; '.repeat(7)}a=own`],
  ['encoded values', 'a=%7C%3B; a=%C3%A4', { a: '|;' }, 'a=%7C%3B; a=%C3%A4'],
])('the current cookies have %s', (_, header, current, result) => {
  const cookies = Object.entries(current).map(([name, value]) => ({ name, value }));
  expect(currentCookieHeader(header, cookies)).toBe(result);
});
