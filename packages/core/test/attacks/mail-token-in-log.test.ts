import { afterEach, describe, expect, it, vi } from 'vitest';
import Resend from '../../src/providers/resend.ts';
import { doors } from '../flows/doors.ts';
import { mailStore } from '../flows/email-scene.ts';
import { scene } from '../flows/scene.ts';

afterEach(() => vi.unstubAllGlobals());

describe.each(doors)('a vendor that quotes the mail it refuses, through $name', (door) => {
  it.each(['a+b/c==', 'a"b&c<d>'])('does not get the token %s into the log, as the address has it', async (token) => {
    const refuse = (body: string): Response =>
      Response.json({ message: `refused: ${JSON.parse(body).text}` }, { status: 422 });
    vi.stubGlobal('fetch', async (_input: unknown, init: { body: string }) => refuse(init.body));
    const provider = Resend({ apiKey: 'key', from: 'a@acme.example', generateVerificationToken: () => token });
    const app = scene(door, { adapter: mailStore().adapter, providers: [provider] });
    await app.post('signin/resend', { email: 'ada@example.com' });
    const told = String(app.log.errors[0]?.cause?.err);
    expect(told).toContain('Resend error: 422');
    expect(told).not.toContain(new URLSearchParams({ token }).toString());
  });
});
