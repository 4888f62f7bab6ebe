import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Bytes that a visitor fetches, React apart. */
async function sizeOf(entry: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [path(`../src/${entry}.ts`)],
    alias: { '@latchkey/core/client': path('../../core/src/client.ts') },
    external: ['react'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength;
}

describe('what a page has to load', () => {
  it('is 3 KiB at most for sessions', async () => expect(await sizeOf('react')).toBeLessThanOrEqual(3072));
  it('is little more for passkeys, which share most of it', async () =>
    expect(await sizeOf('webauthn')).toBeLessThanOrEqual(3200));
});
