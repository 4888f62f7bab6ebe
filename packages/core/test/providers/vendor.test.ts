import { describe, expect, it } from 'vitest';
import { type Fixture, readFixture } from './fixture.ts';
import { type Factory, journey } from './journey.ts';
import { changed, placesOf } from './pointer.ts';
import { factoryOf } from './providers.ts';
import { shapeProblems } from './shape.ts';

const gitlab = await factoryOf('gitlab');
const fixture = readFixture('gitlab');
const user = 'https://gitlab.com/api/v4/user';

async function problemsWith(options: object, factory: Factory = gitlab, given: Fixture = fixture): Promise<string[]> {
  const way = journey(factory, { fixture: { ...given, options: options as NonNullable<Fixture['options']> } });
  await way.signIn();
  return way.vendor.problems;
}

describe('the scripted vendor', () => {
  it('has nothing to say of a sign-in by its documentation', async () => {
    expect(await problemsWith({})).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['at another address', { userinfo: `${user}s` }, [`GET ${user}s: the vendor has no such endpoint`]],
    ['with another query', { userinfo: { params: { a: 1 } } }, [`GET ${user}?a=1: the vendor has no such endpoint`]],
    ['by another method', { userinfo: { method: 'POST' } }, [`POST ${user}: the vendor has no such endpoint`]],
    ['with another header', { userinfo: { headers: { 'x-a': '1' } } }, [`GET ${user}: unexpected header x-a`]],
    ['without a user agent', { userinfo: { headers: { 'user-agent': '' } } }, [`GET ${user}: no header user-agent`]],
    [
      'with another token',
      { userinfo: { headers: { authorization: 'Bearer x' } } },
      [`GET ${user}: header authorization is`],
    ],
    [
      'by another client authentication',
      { client: { token_endpoint_auth_method: 'client_secret_post' } },
      ['header authorization is null', 'unexpected field client_id', 'unexpected field client_secret'],
    ],
    ['with another header at the token endpoint', { token: { headers: { 'x-a': '1' } } }, ['unexpected header x-a']],
  ])('says so when it is asked %s', async (_, options, expected) => {
    const problems = await problemsWith(options);
    expect(problems).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(problems[index]).toContain(part);
  });

  it('says so when a header, a field or the code verifier is missing', async () => {
    const demanding = changed(fixture, {
      '/userinfo/0/headers': { 'x-key': '*' },
      '/token/headers': { 'x-version': '2' },
      '/token/body': { resource: 'r', redirect_uri: null },
    });
    const problems = await problemsWith({ checks: ['state'] }, gitlab, demanding);
    expect(problems.map((problem) => problem.replace(/^.*?: /, ''))).toEqual([
      'header x-version is null, not 2',
      expect.stringMatching(/^field redirect_uri is ".*", not null$/),
      'field resource is undefined, not "r"',
      'header x-key is null, not *',
    ]);
  });

  it('says so when it is asked twice', async () => {
    const twice: Factory = (options) => ({
      ...gitlab(options),
      conformProfile: async (
        profile: object,
        { provider, tokens }: { provider: { fetch: typeof fetch }; tokens: { access_token: string } },
      ) => {
        await provider.fetch(user, { headers: { authorization: `Bearer ${tokens.access_token}`, 'user-agent': 'a' } });
        return profile;
      },
    });
    expect(await problemsWith({}, twice)).toEqual([`GET ${user}: asked for twice`]);
  });
});

describe('a fixture', () => {
  it('has no members that mean nothing, and none of another kind', () => {
    const spec = { url: 'string', 'list?': [{ 'a?': 'number' }] } as const;
    expect(shapeProblems({ url: 'u', list: [{ a: 1 }] }, spec)).toEqual([]);
    expect(shapeProblems({ urll: 'u', list: [{ a: '1' }, 2] }, spec)).toEqual([
      'url is missing',
      'urll means nothing',
      'list.0.a is no number',
      'list.1. is no object',
    ]);
    expect(() => readFixture('unknown')).toThrow('fixtures/unknown.json is missing');
  });

  it('is changed by pointers to places that it has', () => {
    expect(changed(fixture, { '/idToken': { 'a/b': 1 } }, ['/idToken/a~1b'])).toMatchObject({ idToken: {} });
    expect(() => changed(fixture, {}, ['/userinfo/0/answers'])).toThrow('the fixture has no /userinfo/0/answers');
    expect(() => changed(fixture, { '/nowhere/a': 1 })).toThrow('the fixture has no /nowhere/a');
    expect(() => changed(fixture, { '': 1 })).toThrow('is no JSON pointer');
  });

  it('tells where the vendor says something', () => {
    expect(placesOf(fixture, '5551212')).toEqual(['/userinfo/0/answer/id']);
    expect(placesOf(fixture, 'sophie@GERMAIN.example')).toHaveLength(2);
  });
});
