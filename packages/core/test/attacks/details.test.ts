import { application } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';

/** Opens the sign-in page of an application without a secret, which `NODE_ENV` does not call development. */
async function pageFor(headers: Record<string, string>, clientAddress?: string): Promise<string> {
  const app = application({ config: { secret: '' }, call: { development: 'local', clientAddress } });
  return (await app.browser.get('/auth/signin', { headers })).text();
}

const DETAIL = 'MissingSecret';

describe('the details of a problem, if NODE_ENV is not set,', () => {
  it('are shown to a request from this machine', async () => {
    expect(await pageFor({})).toContain(DETAIL);
    expect(await pageFor({}, '127.0.0.1')).toContain(DETAIL);
  });

  it.each([
    ['forwarded', 'for=203.0.113.9'],
    ['x-forwarded-for', '203.0.113.9'],
    ['x-real-ip', '203.0.113.9'],
    ['via', '1.1 proxy.example'],
    ['cf-connecting-ip', '203.0.113.9'],
    ['true-client-ip', '203.0.113.9'],
    ['fly-client-ip', '203.0.113.9'],
    ['x-cluster-client-ip', '203.0.113.9'],
  ])('are not shown if a proxy has added the header %s', async (name, value) => {
    expect(await pageFor({ [name]: value }, '127.0.0.1')).not.toContain(DETAIL);
  });

  it('are not shown to the client of another machine that names a loopback host', async () => {
    expect(await pageFor({}, '203.0.113.9')).not.toContain(DETAIL);
  });
});
