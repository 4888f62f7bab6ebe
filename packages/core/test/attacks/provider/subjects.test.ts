import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../../flows/doors.ts';
import { fakeProvider, oidc, scene, startsSession } from '../../flows/scene.ts';

/** Each is somebody else: OpenID Connect Core §2 compares `sub` by letter case, and RFC 8259 §8.3 texts by code units. */
const subjects = [
  'ada',
  'Ada',
  'ADA',
  'ada ',
  ' ada',
  '\u00e1da',
  'a\u0301da',
  '\u0430da',
  '\uff41da',
  'ada\u200b',
  '1',
  '1.0',
  '01',
];

describe.each(doors)('the subjects of one provider, through $name', (door) => {
  it('that look alike are as many people', async () => {
    const fake = fakeProvider();
    const adapter = memoryAdapter();
    const app = scene(door, { adapter, providers: [oidc(fake)] });
    for (const sub of subjects) {
      const browser = app.visitor();
      expect(startsSession(await app.signIn(fake, { consent: { user: { sub } }, browser }))).toBe(true);
    }
    const { users, accounts } = adapter.dump();
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(subjects);
    expect(users).toHaveLength(subjects.length);
    await app.signIn(fake, { consent: { user: { sub: 'Ada' } }, browser: app.visitor() });
    expect(adapter.dump().users).toHaveLength(subjects.length);
  });
});
