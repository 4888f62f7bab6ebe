import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const scripts = new URL('../../scripts/', import.meta.url);

describe('what is derived from the provider files', () => {
  it.each(['providers.ts'])('is as scripts/%s would write it', (script) => {
    const { stderr, status } = spawnSync(process.execPath, [fileURLToPath(new URL(script, scripts)), '--check'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
