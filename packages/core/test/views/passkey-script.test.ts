import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { passkeyScript } from '../../src/views/passkey-script.ts';

const generator = fileURLToPath(new URL('../../scripts/page-script.ts', import.meta.url));

describe('the script of pages with passkeys', () => {
  it('is what `npm run page-script` makes of page/passkey.ts', () => {
    // Its own process, without the options of the test runner.
    execFileSync(process.execPath, ['--no-warnings', generator, '--check'], { env: { PATH: process.env['PATH'] } });
  });

  it('is a module that compiles, and imports nothing', () => {
    expect(() => new Function(passkeyScript)).not.toThrow();
    expect(passkeyScript).not.toMatch(/\bimport\b|\bexport\b|\beval\b|innerHTML|document\.write/);
  });

  it('is small', () => expect(passkeyScript.length).toBeLessThan(5500));
});
