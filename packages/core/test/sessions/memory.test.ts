import { describe, expect, it } from 'vitest';
import { limits } from '../../src/config/defaults.ts';
import { recordStore } from '../../src/session/record-store.ts';
import { checkRecord, isCheckedLately } from '../../src/session/records.ts';
import { makeSite, onlyRecord } from './scene.ts';

describe('the checks that a process remembers', () => {
  it('are of 100,000 sessions at most: the one that was used longest ago is forgotten', async () => {
    const { settings, app, records } = makeSite({ strategy: 'jwt' });
    const now = app.clock.now();
    const { seen } = await recordStore(settings);
    for (let index = 0; index < limits.checkedSessions; index++) seen.set(`session-${index}`, now.getTime());
    expect(await isCheckedLately(settings, now, 'session-0')).toBe(true);
    seen.set('one more', now.getTime());
    expect(seen.size).toBe(100_000);
    expect(await isCheckedLately(settings, now, 'session-0'), 'it was used a moment ago').toBe(true);
    expect(await isCheckedLately(settings, now, 'session-1')).toBe(false);
    expect(records.calls).toEqual([]);
  });

  it('are shared by configurations with one store', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const other = makeSite({ strategy: 'jwt', records: { store: site.records } });
    await site.app.signIn();
    const { id } = onlyRecord(site);
    expect(await isCheckedLately(other.settings, site.app.clock.now(), id)).toBe(true);
  });

  it('hold no call that has been answered', async () => {
    const { settings, app } = makeSite({ strategy: 'jwt' });
    await app.signIn();
    await Promise.all([app.session(), app.session(app.browser.clone())]);
    await checkRecord(settings, app.clock.now(), 'unknown');
    const { running, seen } = await recordStore(settings);
    expect(running.size).toBe(0);
    expect(seen.size).toBe(1);
  });
});
