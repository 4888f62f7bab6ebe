import { nothing, same, sameToken } from './expect.ts';
import type { Case } from './runner.ts';
import { aToken, fresh, tokenKey } from './samples.ts';

/** Cases about tokens that were mailed. */
export function verificationTokens(it: Case): void {
  it('gives a token out once', async (adapter) => {
    const token = aToken();
    await adapter.createVerificationToken(token);
    sameToken(await adapter.useVerificationToken(tokenKey(token)), token);
    nothing(await adapter.useVerificationToken(tokenKey(token)), 'the second time');
  });

  it('tells a token by both parts of its key, and spends none for a wrong one', async (adapter) => {
    const token = aToken();
    const sibling = aToken({ identifier: token.identifier });
    for (const one of [token, sibling]) await adapter.createVerificationToken(one);
    const { identifier } = token;
    nothing(await adapter.useVerificationToken({ identifier: fresh('other'), token: token.token }), 'other address');
    nothing(await adapter.useVerificationToken({ identifier, token: fresh('other') }), 'other token');
    sameToken(await adapter.useVerificationToken(tokenKey(token)), token);
    sameToken(await adapter.useVerificationToken(tokenKey(sibling)), sibling, 'another token of the address');
  });

  it('gives out what has expired, for core to judge, or nothing', async (adapter) => {
    const token = aToken({ expires: new Date('2001-02-03T04:05:06.007Z') });
    await adapter.createVerificationToken(token);
    const used = await adapter.useVerificationToken(tokenKey(token));
    if (used) sameToken(used, token);
    nothing(await adapter.useVerificationToken(tokenKey(token)), 'the second time');
  });

  it('gives a token to one of fifty who use it at once', async (adapter) => {
    const token = aToken();
    await adapter.createVerificationToken(token);
    const answers = await Promise.all(Array.from({ length: 50 }, () => adapter.useVerificationToken(tokenKey(token))));
    same(answers.filter((answer) => answer).length, 1, 'number of those who got it');
  });
}
