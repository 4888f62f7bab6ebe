import { describe, expect, it } from 'vitest';
import { readImports } from './imports.ts';
import { cycles, forbiddenArrows, forbiddenPackages, missingFiles, sideEntrances } from './rules.ts';

describe('readImports', () => {
  it.each([
    [`import { a } from './a.ts'`, { specifier: './a.ts', typeOnly: false, dynamic: false }],
    [`import './a.ts'`, { specifier: './a.ts', typeOnly: false, dynamic: false }],
    [`import type { A } from './a.ts'`, { specifier: './a.ts', typeOnly: true, dynamic: false }],
    [`import { type A } from './a.ts'`, { specifier: './a.ts', typeOnly: false, dynamic: false }],
    [`import * as a from "a"`, { specifier: 'a', typeOnly: false, dynamic: false }],
    [`export * from './a.ts'`, { specifier: './a.ts', typeOnly: false, dynamic: false }],
    [`export type { A } from './a.ts'`, { specifier: './a.ts', typeOnly: true, dynamic: false }],
    [`type A = import('./a.ts').A`, { specifier: './a.ts', typeOnly: true, dynamic: false }],
    [`const load = () => import('./a.ts')`, { specifier: './a.ts', typeOnly: false, dynamic: true }],
  ])('%s', (text, expected) => {
    expect(readImports(text)).toEqual([{ ...expected, line: 1 }]);
  });

  it('is not misled by comments and strings', () => {
    expect(readImports(`// import './a.ts'\nconst s = "import './a.ts'"; export const a = 1`)).toEqual([]);
  });
});

describe('forbiddenArrows', () => {
  const arrows = { actions: ['wire', 'errors'], views: ['type types'], wire: [] };

  it('accepts the imports that the table allows', () => {
    const tree = {
      'actions/a.ts': `import '../wire/b.ts'; import './c.ts'; import { E } from '../errors.ts'`,
      'views/v.ts': `import type { T } from '../types.ts'`,
    };
    expect(forbiddenArrows(tree, arrows)).toEqual([]);
  });

  it.each([
    [{ 'wire/b.ts': `import '../actions/a.ts'` }, 'wire/b.ts:1 imports actions/a.ts: no arrow wire → actions'],
    [
      { 'wire/b.ts': `\nimport type { A } from '../actions/a.ts'` },
      'wire/b.ts:2 imports actions/a.ts: no arrow wire → actions',
    ],
    [{ 'wire/b.ts': `export * from '../actions/a.ts'` }, 'wire/b.ts:1 imports actions/a.ts: no arrow wire → actions'],
    [
      { 'wire/deep/b.ts': `import('../../actions/a.ts')` },
      'wire/deep/b.ts:1 imports actions/a.ts: no arrow wire → actions',
    ],
    [
      { 'views/v.ts': `import { t } from '../types.ts'` },
      'views/v.ts:1 imports types.ts: the arrow views → types is for types only',
    ],
    [{ 'new/n.ts': `import '../wire/b.ts'` }, 'new/n.ts:1 is in new, which has no row in the table'],
  ])('%j', (tree, expected) => {
    expect(forbiddenArrows(tree, arrows)).toEqual([expected]);
  });
});

describe('forbiddenPackages', () => {
  const doors = { cookie: 'wire/cookie.ts', oauth4webapi: 'identity/oauth' };

  it('lets a dependency in through its own door', () => {
    const tree = { 'wire/cookie.ts': `import 'cookie'`, 'identity/oauth/a.ts': `import * as o from 'oauth4webapi'` };
    expect(forbiddenPackages(tree, doors)).toEqual([]);
  });

  it.each([
    [`import 'cookie'`, 'entry/read.ts:1 imports cookie: its door is wire/cookie.ts'],
    [`import type { X } from 'oauth4webapi/x'`, 'entry/read.ts:1 imports oauth4webapi/x: its door is identity/oauth'],
    [`import '@scope/new/x'`, 'entry/read.ts:1 imports @scope/new/x, which has no door in the table'],
    [`import 'node:crypto'`, 'entry/read.ts:1 imports node:crypto: other runtimes do not have it'],
    [`import 'fs'`, 'entry/read.ts:1 imports fs: other runtimes do not have it'],
    [`import('node:fs')`, 'entry/read.ts:1 imports node:fs: other runtimes do not have it'],
  ])('%s', (text, expected) => {
    expect(forbiddenPackages({ 'entry/read.ts': text }, doors)).toEqual([expected]);
  });
});

describe('cycles', () => {
  it('finds each once, dynamic imports included', () => {
    const tree = { 'a.ts': `import './b.ts'`, 'b.ts': `import './c.ts'; import('./a.ts')`, 'c.ts': `import './c.ts'` };
    expect(cycles(tree)).toEqual(['c.ts → c.ts', 'a.ts → b.ts → a.ts']);
  });

  it('counts type imports', () => {
    const tree = { 'a.ts': `import './b.ts'`, 'b.ts': `import type { A } from './a.ts'` };
    expect(cycles(tree)).toEqual(['a.ts → b.ts → a.ts']);
  });

  it('does not take a diamond for one', () => {
    expect(cycles({ 'a.ts': `import './b.ts'; import './c.ts'`, 'b.ts': `import './c.ts'`, 'c.ts': '' })).toEqual([]);
  });
});

it('missingFiles names imports that lead nowhere', () => {
  expect(missingFiles({ 'a.ts': `import './b.ts'; import './gone.ts'`, 'b.ts': '' })).toEqual([
    'a.ts:1 imports gone.ts, which does not exist',
  ]);
});

describe('sideEntrances', () => {
  const exported = ['.', './jwt', './providers/*'];
  const open = `import '@ours/core'; import '@ours/core/jwt'; import '@ours/core/providers/x'; import './a.ts'; import 'express'`;

  it('lets the exports through', () => {
    expect(sideEntrances({ 'src/index.ts': open }, '@ours/core', exported)).toEqual([]);
  });

  it.each([
    [`import '@ours/core/wire/cookie'`, 'src/a.ts:1 imports @ours/core/wire/cookie, which is no export of @ours/core'],
    [`import '../../core/src/auth.ts'`, 'src/a.ts:1 imports ../../core/src/auth.ts, outside its own package'],
  ])('%s', (text, expected) => {
    expect(sideEntrances({ 'src/a.ts': text }, '@ours/core', exported)).toEqual([expected]);
  });
});
