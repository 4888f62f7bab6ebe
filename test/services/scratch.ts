import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Makes a folder for the folders of a test's servers. PostgreSQL may run as another user, who must be able to enter it.
 */
export function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  chmodSync(scratch, 0o755);
  return scratch;
}
