import { solidStart } from '@solidjs/start/config';
import { defineConfig } from 'vite';

export default defineConfig({
  // The bundle has one copy of h3. The other packages are imported as they are, which makes the build faster.
  resolve: { dedupe: ['h3'] },
  environments: { ssr: { resolve: { external: ['@latchkey/core', '@latchkey/adapter-sql', 'nodemailer'] } } },
  plugins: [solidStart({ middleware: 'src/middleware.ts' })],
});
