import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from './kit/journey.ts';
import { config, play } from './kit/scene.ts';
import { app, type Kit, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
  play(config());
});

describe('a guard in the hooks that compares `event.route.id`', () => {
  it.each(['guarded', '%67uarded', 'guarde%64', 'guarded/__data.json', '%67uarded/__data.json'])(
    'refuses a visitor without a session, and shows the page to others: /shop/%s',
    async (path) => {
      const refused = await kit.browser().get(`/shop/${path}`);
      expect(refused.text()).not.toContain('guarded goods');
      expect(refused.location ?? refused.text()).toContain('/shop/signin');
      const browser = await signedIn(kit.browser());
      expect((await browser.get(`/shop/${path}`)).text()).toContain('guarded goods');
    },
  );

  it('is the one of the README', () => {
    const [ours, readme] = [`${app}/src/hooks.server.ts`, `${app}/../../README.md`].map((path) =>
      readFileSync(path, 'utf8'),
    );
    const condition = /if \(event\.[^;]*\) redirect/.exec(ours ?? '')?.[0].replace('/guarded', '/account');
    expect(readme).toContain(condition);
  });
});
