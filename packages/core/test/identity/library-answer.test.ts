import { processUserInfoResponse } from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { libraryFetch } from '../../src/identity/oauth/library-answer.ts';
import { boundedFetch } from '../../src/wire/bounded-fetch.ts';

const json = { 'content-type': 'application/json' };
const server = { issuer: 'https://idp.example' };
const client = { client_id: 'client' };

function answering(text: string | null, init: ResponseInit = { headers: json }): typeof fetch {
  return libraryFetch(boundedFetch(async () => new Response(text, init), { bytes: 64, time: 20_000 }));
}

describe('an answer for the protocol library', () => {
  it('is taken for a response, and read once', async () => {
    const answer = await answering('{"sub":"1"}')('https://idp.example/userinfo');
    expect(await processUserInfoResponse(server, client, '1', answer)).toEqual({ sub: '1' });
    expect(answer.bodyUsed).toBe(true);
    await expect(processUserInfoResponse(server, client, '1', answer)).rejects.toThrow('has been used already');
    await expect(answer.text()).rejects.toThrow(TypeError);
    expect(() => answer.clone()).toThrow(TypeError);
  });

  it('has a response for a clone, with everything that came', async () => {
    const answer = await answering('{"ä":1}', { status: 401, statusText: 'Unknown', headers: json })(
      'https://idp.example',
    );
    const clone = answer.clone();
    expect(clone).toBeInstanceOf(Response);
    expect([clone.status, clone.statusText, clone.headers.get('content-type')]).toEqual([
      401,
      'Unknown',
      json['content-type'],
    ]);
    expect(await clone.json()).toEqual({ ä: 1 });
    expect(await answer.json()).toEqual({ ä: 1 });
  });

  it('without a body is empty', async () => {
    const answer = await answering(null, { status: 204 })('https://idp.example');
    expect(answer.clone().body).toBeNull();
    expect(await answer.text()).toBe('');
  });

  it('that is no JSON fails when it is read as such', async () => {
    const answer = await answering('<html>')('https://idp.example');
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  it('keeps the bounds, and is asked of nothing that has none', async () => {
    await expect(answering('x'.repeat(65))('https://idp.example')).rejects.toThrow('more than 64 bytes');
    await expect(libraryFetch(fetch)('https://idp.example')).rejects.toThrow('has no bounds');
  });

  it('comes from one function object for each `fetch`: the library joins requests by it', () => {
    const bounded = boundedFetch(async () => new Response(), { bytes: 64, time: 20_000 });
    expect(libraryFetch(bounded)).toBe(libraryFetch(bounded));
  });
});
