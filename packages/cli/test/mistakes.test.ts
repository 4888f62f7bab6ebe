import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Mistake, mistakes } from './fixtures/mistakes.ts';
import { doctor, healthyEnv, writeProject } from './fixtures/project.ts';

const source = ({ config }: Mistake): string => `import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { ExpressAuth } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';

export const answer = ExpressAuth({ ${config} });
void DatabaseSync, SqlAdapter, GitHub;
`;

interface Reports {
  /** The texts of the findings of `latchkey doctor`. */
  readonly doctor: string;
  /** The log of the application, before its first request. */
  readonly log: string;
}

/** Runs `doctor` on an application with a mistake, and starts it. */
async function reportsOf(mistake: Mistake): Promise<Reports> {
  const { root, remove } = writeProject({ files: { 'auth.ts': source(mistake) } });
  const env = { ...healthyEnv, NODE_ENV: 'development', ...mistake.env };
  try {
    const { findings } = await doctor(root, env, mistake.opensStore ? [] : ['--offline']);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['auth.ts'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...env } as unknown as NodeJS.ProcessEnv,
    });
    return { doctor: findings.map(({ message, remedy }) => `${message} ${remedy}`).join('\n'), log: stdout + stderr };
  } finally {
    remove();
  }
}

describe('doctor, and the log at the start, name the deciding fact and the remedy of', () => {
  it.for(mistakes)('$name', async (mistake) => {
    const { doctor, log } = await reportsOf(mistake);
    for (const text of [doctor, log]) {
      expect(text).toContain(mistake.fact);
      expect(text).toContain(mistake.remedy);
    }
  });

  it('at least twenty mistakes', () => expect(mistakes.length).toBeGreaterThanOrEqual(20));
});
