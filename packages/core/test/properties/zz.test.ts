import fc from 'fast-check';
import { it } from 'vitest';
import { applications } from './app.ts';
import { asked } from './asked.ts';
import { sends } from './send.ts';
it('stats', async () => {
  for (const [name, send] of Object.entries(sends)) {
    const seen: Record<string, number> = {};
    const t = performance.now();
    for (const [request, config] of fc.sample(fc.tuple(asked, fc.constantFrom(...applications())), 3000)) {
      const r = await send(request, config);
      const path = new URL(request.origin + request.path).pathname.split('/').slice(1, 4).join('/');
      const loc = r.headers.get('location')?.replace(/callbackUrl=[^&]*/, '').replace(/reference=\w+/, '').slice(0, 60);
      const key = `${request.method} ${r.status} ${loc ?? r.headers.get('content-type')}`;
      seen[key] = (seen[key] ?? 0) + 1;
    }
    console.log(name, performance.now() - t, Object.entries(seen).sort((a, b) => b[1] - a[1]).slice(0, 60).map(([k, n]) => `${n} ${k}`).join('\n'));
  }
});
