import { describe, expect, it } from 'vitest';
import { brokenFixtures, type Fixture, healthyFixtures } from './fixtures/broken.ts';
import { doctor, healthyEnv, writeProject } from './fixtures/project.ts';

const source = ({ config }: Fixture): string => `import { ExpressAuth } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
import Resend from '@latchkey/express/providers/resend';
import Vipps from '@latchkey/express/providers/vipps';

export const answer = ExpressAuth(${config});
void Resend, GitHub, Vipps;
`;

/** Without the provider, nothing reads its variables. */
function envFor({ config }: Fixture): typeof healthyEnv {
  return config.includes('GitHub')
    ? healthyEnv
    : { ...healthyEnv, AUTH_GITHUB_ID: undefined, AUTH_GITHUB_SECRET: undefined };
}

/** Applications are loaded in processes of their own, four at a time. */
async function results(fixtures: readonly Fixture[]): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof doctor>>>> {
  const found = new Map<string, Awaited<ReturnType<typeof doctor>>>();
  const open = [...fixtures];
  const work = async (): Promise<void> => {
    for (let fixture = open.shift(); fixture; fixture = open.shift()) {
      const { files = {}, manifest, env = {}, name } = fixture;
      const project = writeProject({ files: { 'auth.ts': source(fixture), ...files }, manifest });
      try {
        found.set(name, await doctor(project.root, { ...envFor(fixture), ...env }));
      } finally {
        project.remove();
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return found;
}

describe('applications with a mistake', async () => {
  const found = await results(brokenFixtures);

  it.for(brokenFixtures)('reports $ids for $name', ({ name, ids }) => {
    const findings = found.get(name)?.findings ?? [];
    expect([...new Set(findings.map(({ id }) => id))].sort()).toEqual([...ids].sort());
    for (const { message, remedy, docs } of findings) {
      expect(message).toMatch(/\S\.$/);
      expect(remedy).toMatch(/\S[.?]$/);
      expect(docs).toMatch(/^https:\S+\.md#\S+$/);
    }
  });

  it('are at least sixty', () => expect(brokenFixtures.length).toBeGreaterThanOrEqual(60));

  it('fails only if there are errors', () => {
    for (const { code, ok, findings } of found.values()) {
      const hasErrors = findings.some(({ level }) => level === 'error');
      expect([code, ok]).toEqual(hasErrors ? [1, false] : [0, true]);
    }
  });
});

describe('healthy applications', async () => {
  const found = await results(healthyFixtures);

  it.for(healthyFixtures)('reports nothing for $name', ({ name }) => {
    expect(found.get(name)).toMatchObject({ findings: [], ok: true, code: 0 });
  });

  it('are at least thirty', () => expect(healthyFixtures.length).toBeGreaterThanOrEqual(30));
});
