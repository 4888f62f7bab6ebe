import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The page's script, as a bundler makes it of our sources. */
export async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path('app/main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: {
      '@latchkey/next/react': path('../../src/react.ts'),
      '@latchkey/next/webauthn': path('../../src/webauthn.ts'),
      '@latchkey/core/client': path('../../../core/src/client.ts'),
    },
  });
  return outputFiles[0]?.text ?? '';
}
