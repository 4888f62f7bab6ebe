import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import nodemailer from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonicalAddress, isMailable, ownIdentifier } from '../../src/identity/email/address.ts';
import Resend from '../../src/providers/resend.ts';
import type { AdapterUser } from '../../src/types/adapter.ts';
import { oneDoor } from '../flows/doors.ts';
import { mailScene, mailStore } from '../flows/email-scene.ts';
import { fakeProvider, leadsTo, oidc, scene, startsSession } from '../flows/scene.ts';
import { csrfTokenOf } from './site.ts';

const long = (count: number): string => 'x'.repeat(count);

/** A typed text, and the one address that it stands for. */
const accepted: [typed: string, address: string][] = [
  ['ada@example.com', 'ada@example.com'],
  ['  ADA@Example.COM\t', 'ada@example.com'],
  ['ada@example.com\r\n', 'ada@example.com'],
  ['\uFEFFada@example.com\u00A0', 'ada@example.com'],
  ['ada.lovelace+news@mail.example.co.uk', 'ada.lovelace+news@mail.example.co.uk'],
  ["o'brien!#$%&*/?=^_`{|}~-@example.com", "o'brien!#$%&*/?=^_`{|}~-@example.com"],
  ['1@2.example', '1@2.example'],
  ['ada@localhost', 'ada@localhost'],
  ['ada@a.b.example', 'ada@a.b.example'],
  [`${long(64)}@${long(63)}.${long(63)}.${long(61)}`, `${long(64)}@${long(63)}.${long(63)}.${long(61)}`],
  ['ada@example.com'.padEnd(320), 'ada@example.com'],
  ['ada@xn--mnchen-3ya.de', 'ada@xn--mnchen-3ya.de'],
  [`${long(64)}@example.com`, `${long(64)}@example.com`],
  [`ada@${long(63)}.com`, `ada@${long(63)}.com`],
  // Full width and small commercial at: NFKC first, then one @.
  ['ada\uFF20example.com', 'ada@example.com'],
  ['ada\uFE6Bexample.com', 'ada@example.com'],
  ['\uFF41\uFF44\uFF41@\uFF45xample\uFF0Ecom', 'ada@example.com'],
  ['\uFB01@example.com', 'fi@example.com'],
  ['ada@\u2488example.com', 'ada@1.example.com'],
  // IDN and `SMTPUTF8`.
  ['ada@MÜNCHEN.de', 'ada@münchen.de'],
  ['ada@mu\u0308nchen.de', 'ada@münchen.de'],
  ['δοκιμή@παράδειγμα.gr', 'δοκιμή@παράδειγμα.gr'],
  ['用户@例子.广告', '用户@例子.广告'],
  ['संपर्क@डाटामेल.भारत', 'संपर्क@डाटामेल.भारत'],
  // Lower case that NFKC composes once more.
  ['H\u0331@example.com', '\u1E96@example.com'],
  ['\u212Aelvin@example.com', 'kelvin@example.com'],
];

/** Texts that are not exactly one plain address. */
const refused: string[] = [
  // Not an address.
  '', ' ', 'ada', '@', 'ada@', '@example.com', 'ada@@example.com', 'ada@example.com@', 'ada@example.com@evil.example',
  'ada@evil.example\uFF20example.com', 'ada@evil.example\uFE6Bexample.com', 'ada\uFF20evil.example\uFF20example.com',
  'ada at example.com', 'ada\u29FEexample.com', 'ada.<b@example.com', 'ada.b c@example.com', 'ada@example.0x',
  'ada@example.0xa', 'ada@example.0xab', `${long(64)}@${long(63)}.${long(63)}.${long(62)}`,
  'ada@example.com'.padEnd(321),
  // Quoted local parts.
  '"ada"@example.com', '"ada@evil.example"@example.com', '"ada@evil.example> "@example.com',
  '"a,b@evil.example"@example.com', 'ada"@evil.example"@example.com', '"\\"@evil.example"@example.com',
  '""@example.com', '" "@example.com', "'ada@evil.example'@example.com", 'ada\\@evil.example@example.com',
  'ada\uFF02@example.com',
  // Lists.
  'ada@example.com,bob@evil.example', 'ada@example.com, bob@evil.example', 'ada@example.com;bob@evil.example',
  'ada@example.com bob@evil.example', 'ada@example.com\tbob@evil.example', 'ada,bob@evil.example', 'ada@example.com,',
  ',ada@example.com', 'ada@example.com\uFF0Cbob@evil.example', 'ada@example.com\uFE50bob',
  'ada@example.com\uFF1Bbob@evil.example', 'ada@example.com|bob@evil.example',
  // Groups, routes, names, angle brackets.
  'friends:ada@example.com,bob@evil.example;', 'friends:ada@example.com;', 'a:ada@example.com',
  '@evil.example:ada@example.com', '<@evil.example:ada@example.com>', '<ada@example.com>', 'Ada <ada@example.com>',
  'ada@example.com <bob@evil.example>', '<bob@evil.example> ada@example.com', '"ada@example.com" <bob@evil.example>',
  'ada@example.com>', '<ada@example.com', '\uFF1Cada@example.com\uFF1E', 'mailto:ada@example.com',
  // Comments.
  'ada(comment)@example.com', 'ada@example.com(comment)', '(bob@evil.example)ada@example.com',
  'ada@(evil.example)example.com', 'ada@example.com(', 'ada\uFF08x\uFF09@example.com',
  // Controls, line breaks, headers.
  'ada@example.com\r\nBcc: bob@evil.example', 'ada\r\n@example.com', 'ada@exa\nmple.com', 'ada@example.com\n\nbody',
  'ada@example.com%0d%0aBcc:bob@evil.example', 'ada\u0000@example.com', 'ada@example.com\u0000.evil.example',
  'ada\u0008@example.com', 'ada\u007F@example.com', 'ada\u0085@example.com', 'ada\u2028@example.com',
  'ada\u2029@example.com', 'ada\u001B[31m@example.com',
  // Bidi, zero width, fillers, variation selectors, soft hyphen.
  'ada\u202E@example.com', 'ada\u2066@example.com', 'ada\u200E@example.com', 'ada\u061C@example.com',
  'ada\u200B@example.com', 'ada\u200C@example.com', 'ada\u200D@example.com', 'ada\u2060@example.com',
  'ad\uFEFFa@example.com', 'ada\u00AD@example.com', 'ada@exam\u00ADple.com', 'ada\u034F@example.com',
  'ada\u115F@example.com', 'ada\u1160@example.com', 'ada\u3164@example.com', 'ada\uFFA0@example.com',
  'ada\uFE0F@example.com', 'ada\u180B@example.com', 'ada\u{E0100}@example.com', 'ada\u{E0061}@example.com',
  // NFKC that makes what a domain must not have.
  'ada@evil.example\u2100example.com', 'ada@evil.example\u2106example.com', 'ada@example.com\uFF0Fevil.example',
  'ada@example.com\uFF1A25', 'ada@example.com\uFF1F', 'ada@example.com\uFF03', 'ada@example\u3002com',
  'ada@example\uFF61com', 'ada@example\u2024com.',
  // Domains.
  'ada@.example.com', 'ada@example..com', 'ada@example.com.', 'ada@-example.com', 'ada@example-.com',
  'ada@exam_ple.com', 'ada@example.com:25', 'ada@example.com/x', 'ada@example.com?x', 'ada@example.com#x',
  'ada@[127.0.0.1]', 'ada@[IPv6:::1]', 'ada@[x@evil.example]', 'ada@127.0.0.1', 'ada@127.1', 'ada@0x7f.1',
  'ada@example.0x7f', 'ada@2130706433', 'ada@xn--', 'ada@xn--\u00E9.example', 'ada@\u05D0a.example',
  'ada@ex\u0300.\u0300com', 'ada@\u0300example.com', `ada@${long(64)}.com`,
  // Local parts.
  '.ada@example.com', 'ada.@example.com', 'ada..lovelace@example.com', 'ada lovelace@example.com',
  'ada\u00A0lovelace@example.com', 'ada\u3000lovelace@example.com', '\u0301ada@example.com', '-oQ/tmp/x@example.com',
  '--help@example.com', '=?utf-8?q?bob=40evil.example=3e=20?=ada@example.com', '=?x?q?bob?=@example.com',
  'ada=?utf-8?b?QGV2aWw?=@example.com', '<script>alert(1)</script>@example.com', 'ada<b>@example.com',
  'ada\u{1F600}@example.com', 'ada\uD800@example.com', 'ada\uE000@example.com', 'ada\uFFFD@example.com',
  // Length.
  `${long(65)}@example.com`, `${'é'.repeat(33)}@example.com`, `ada@${Array(5).fill(long(60)).join('.')}.com`,
  `${'ﷺ'.repeat(30)}@example.com`, long(321),
]; // biome-ignore format: a list to be read across

describe('the one form of an address', () => {
  it.each(accepted)('%j is %s', (typed, address) => {
    expect(canonicalAddress(typed)).toBe(address);
    expect(canonicalAddress(address)).toBe(address);
    expect(isMailable(address)).toBe(true);
  });

  it.each(refused)('%j is refused', (typed) => expect(canonicalAddress(typed)).toBeUndefined());

  it('has been tried on more than a hundred', () => {
    expect(new Set(refused).size).toBe(refused.length);
    expect(refused.length).toBeGreaterThan(130);
  });

  it.each([
    [['ada@example.com']],
    [['ada@example.com', 'bob@evil.example']],
    [{ address: 'ada@example.com' }],
    [{ toString: () => 'ada@example.com' }],
    [new String('ada@example.com')],
    [7],
    [null],
    [undefined],
    [true],
    [Symbol('ada@example.com')],
  ])('%o is refused', (value) => {
    expect(canonicalAddress(value)).toBeUndefined();
    expect(ownIdentifier(value)).toBeUndefined();
  });

  it('is decided at once, however much is typed', () => {
    const monsters = [
      `${'a'.repeat(10_000_000)}@example.com`,
      `ada@${'a.'.repeat(5_000_000)}`,
      'ﷺ'.repeat(5_000_000),
      `${'a.'.repeat(155)}!@x`,
      `ada@${'a-'.repeat(150)}`,
      `ada@${'a.'.repeat(150)}!`,
    ];
    // A pattern that goes back over what it has read would not come to an end within the test's time.
    for (const monster of monsters) expect(canonicalAddress(monster)).toBeUndefined();
  });

  it.each(
    // biome-ignore format: a list to be read across
    [
      ['+442079460000', '+442079460000'], ['ada', 'ada'], ['Ada Lovelace', 'Ada Lovelace'],
      ['Ada@Example.com', 'Ada@Example.com'], ['ada@example.com,bob@evil.example', undefined],
      ['ada@evil.example\uFF20example.com', undefined], ['ada\uFF20example.com', undefined],
      [' ada@example.com', undefined], ['a\r\nb', undefined], ['a\u200Bb', undefined], ['a\u202Eb', undefined],
      ['a\u3164b', undefined], ['a\uD800b', undefined], ['', undefined], [long(321), undefined],
    ],
  )('an own identifier %j stays or is refused', (result, expected) => expect(ownIdentifier(result)).toBe(expected));
});

/** Text that is close to an address, with characters that have a meaning to a mailer. */
const nearlyAddress = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['@', '.', ',', ';', ':', '"', "'", '\\', '<', '>', '(', ')', '[', ']', '\r\n', '\0', ' ', '-', '=?', '?='],
        ...[
          '\uFF20',
          '\uFE6B',
          '\u200B',
          '\u202E',
          '\u0331',
          '\u0307',
          '\u2100',
          '\uFF0E',
          '\u3002',
          '\uFB01',
          '\u0130',
        ],
        ...['ada', 'example.com', 'münchen', 'xn--', 'ß', 'Σ', '例', 'ء', '1', '0x7'],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));

/** Two words around an @, so that most of them are addresses. */
const likelyAddress = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), fc.constantFrom('@', '\uFF20'), nearlyAddress)
  .map(([local, at, domain]) => `${local}${at}${domain}x.example`);

const anything = fc.oneof(nearlyAddress, likelyAddress, fc.string({ unit: 'binary' }), fc.anything());

describe('of any typed text', () => {
  it('the form is a form of itself, has one @ and nothing that is not printed', () => {
    fc.assert(
      fc.property(anything, (typed) => {
        const address = canonicalAddress(typed);
        if (address === undefined) return;
        expect(canonicalAddress(address)).toBe(address);
        expect(isMailable(address)).toBe(true);
        expect(ownIdentifier(address)).toBe(address);
        expect(address.match(/@/g)).toHaveLength(1);
        expect(address).not.toMatch(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"(),:;<>[\\\]]/u);
        expect(new TextEncoder().encode(address).length).toBeLessThanOrEqual(254);
      }),
      { numRuns: 5000 },
    );
  });

  it('every letter, with every kind of mark where its script has some, ends in the same form as its capital', () => {
    const marks = ['', '\u0301', '\u0307', '\u0331', '\u0345', '\u0338', '\u3099'];
    for (let code = 0x21; code < 0x2_0000; code++) {
      const letter = String.fromCodePoint(code);
      if (!/[\p{L}\p{N}]/u.test(letter)) continue;
      // No mark of these changes a sign of these scripts, and there are forty thousand.
      const isAlone = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Tangut}\p{Script=Yi}\p{Script=Cuneiform}]/u.test(
        letter,
      );
      for (const mark of isAlone ? [''] : marks) {
        const address = canonicalAddress(`${letter}${mark}@x.example`);
        if (address === undefined) continue;
        if (canonicalAddress(address) !== address) expect.fail(`${code.toString(16)} with ${mark}`);
      }
    }
  });

  it('nodemailer mails exactly that address', async () => {
    const transport = nodemailer.createTransport({ jsonTransport: true });
    const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);
    await fc.assert(
      fc.asyncProperty(fc.oneof(likelyAddress, fc.constantFrom(...accepted.map(([typed]) => typed))), async (typed) => {
        const address = canonicalAddress(typed);
        if (address === undefined) return;
        const { envelope } = await transport.sendMail({ to: { name: '', address }, from: 'app@x.example', text: '' });
        expect(envelope.to).toHaveLength(1);
        const [mailed = ''] = envelope.to;
        // Domains of other scripts have two spellings.
        expect(mailed.slice(0, mailed.indexOf('@'))).toBe(address.slice(0, address.indexOf('@')));
        expect(domainToASCII(domainOf(mailed))).toBe(domainToASCII(domainOf(address)));
        if (/^[\0-\x7f]*$/.test(address)) expect(mailed).toBe(address);
        // Also where the text itself is parsed, as mail services do it.
        expect(addressparser(address)).toEqual([{ name: '', address }]);
      }),
      { numRuns: 3000 },
    );
  });
});

describe.each(oneDoor)('a hostile address through $name', (door) => {
  it('reaches neither store nor mailer, and is not logged as an error', async () => {
    const app = mailScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    for (const email of refused) {
      const page = await app.browser.post('/auth/signin/mail', { csrfToken, email });
      expect([email, leadsTo(page)]).toEqual([email, '/auth/signin?error=EmailSignin']);
      expect(startsSession(page)).toBe(false);
    }
    expect(app.store.calls).toEqual([]);
    expect(app.sent).toEqual([]);
  });

  it.each<[unknown]>([
    [['ada@example.com']],
    [[['ada@example.com']]],
    [['ada@example.com', 'mallory@evil.example']],
    [{ address: 'ada@example.com' }],
    [{ toString: 'ada@example.com' }],
    [{ 0: 'ada@example.com', length: 1 }],
    [7],
    [true],
    [null],
  ])('is refused in JSON: %j', async (email) => {
    const app = mailScene(door);
    const page = await app.browser.post(
      '/auth/signin/mail',
      { csrfToken: await csrfTokenOf(app.browser), email },
      { json: true },
    );
    expect(leadsTo(page)).toBe('/auth/signin?error=EmailSignin');
    expect(app.store.calls).toEqual([]);
    expect(app.sent).toEqual([]);
  });

  it('is one address also when a form has several', async () => {
    const app = mailScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const body = new URLSearchParams([
      ['csrfToken', csrfToken],
      ['email', 'mallory@evil.example'],
      ['email', 'ada@example.com'],
    ]);
    await app.browser.post('/auth/signin/mail', body);
    expect(app.sent.map(({ identifier }) => identifier)).toEqual(['ada@example.com']);
  });

  it('of ten megabytes is refused', async () => {
    const app = mailScene(door);
    const email = `${'a'.repeat(10_000_000)}@example.com`;
    const page = await app.browser.post('/auth/signin/mail', { csrfToken: await csrfTokenOf(app.browser), email });
    expect(page.status).toBe(413);
    expect(app.store.calls).toEqual([]);
  });
});

/** Characters of an address: letters and digits of any script, marks, and those of dot-atoms (RFC 5322 §3.2.3). */
const MAY_STAND = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]*$/u;

/** Letters and digits that are something else once they are normalized: `⑴` is `(1)`, `﷽` is a sentence with blanks. */
function turning(): string[] {
  const found: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    if (/[\p{L}\p{N}]/u.test(letter) && !MAY_STAND.test(letter.normalize('NFKC').toLowerCase())) found.push(letter);
  }
  return found;
}

const letters = turning();
const addresses = letters.flatMap((letter) => [
  `a${letter}b@example.com`,
  `ada@a${letter}b.com`,
  `${letter}@example.com`,
]);

describe('letters that turn into something else', () => {
  it('are there, so that the tests below could fail', () => expect(letters.length).toBeGreaterThan(50));

  it('stand in no address, wherever they are', () => {
    expect(addresses.filter((address) => canonicalAddress(address) !== undefined)).toEqual([]);
  });

  it.each(oneDoor)('get no mail through $name', async (door) => {
    const app = mailScene(door, { rateLimit: false });
    for (let index = 0; index < addresses.length; index += 25) await app.ask(addresses[index]);
    expect(app.sent).toEqual([]);
    expect(app.store.tokens.size).toBe(0);
    await app.ask('ada@example.com');
    expect(app.sent).toHaveLength(1);
  });
});

describe.each(oneDoor)('what is longer than any address, through $name', (door) => {
  it('is not looked into at all: neither normalized nor matched', async () => {
    const app = mailScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const lengths: number[] = [];
    const noted = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
      lengths.push(this.length);
      return String(this);
    });
    try {
      for (const email of [`${'a'.repeat(200_000)}@example.com`, `a@${'a.'.repeat(90_000)}b`, '@'.repeat(60_000)]) {
        const page = await app.browser.post('/auth/signin/mail', { csrfToken, email });
        expect(leadsTo(page)).toBe('/auth/signin?error=EmailSignin');
      }
      expect(lengths).toEqual([]);
      await app.browser.post('/auth/signin/mail', { csrfToken, email: 'ada@example.com' });
      expect(lengths.length).toBeGreaterThan(0);
    } finally {
      noted.mockRestore();
    }
    expect(app.sent.map(({ identifier }) => identifier)).toEqual(['ada@example.com']);
  });
});

/** A store that compares addresses as many collations do: without accents and letter case. */
function forgivingStore(): ReturnType<typeof mailStore> {
  const store = mailStore();
  const alike = new Intl.Collator('en', { sensitivity: 'base' });
  Object.assign(store.adapter, {
    getUserByEmail: async (email: string) =>
      [...store.users.values()].find((user) => alike.compare(user.email, email) === 0) ?? null,
    createUser: async (user: AdapterUser) => {
      if ([...store.users.values()].some(({ email }) => alike.compare(email, user.email) === 0))
        throw new Error('UNIQUE users.email');
      store.users.set(user.id, user);
      return user;
    },
  });
  return store;
}

describe.each(oneDoor)('an address that the store takes for that of another user, through $name', (door) => {
  const ada = 'ada@example.com';
  const lookAlike = 'ada@ex\u00e4mple.com';

  it.each([
    [lookAlike, ada],
    ['stra\u00dfe@example.com', 'strasse@example.com'],
  ])('opens nothing through a mailed link: %s for %s', async (other, own) => {
    const app = mailScene(door, {}, { store: forgivingStore() });
    await app.open(await app.link(own));
    const mallory = app.visitor();
    const page = await app.open(await app.link(other, {}, mallory), mallory);
    expect(leadsTo(page)).toBe('/auth/signin?error=EmailCreateAccount');
    expect(await app.session(mallory)).toBeNull();
    expect(app.store.users.size).toBe(1);
  });

  it('is not linked to them where addresses may be linked', async () => {
    const fake = fakeProvider();
    const providers = [oidc(fake, { allowDangerousEmailAccountLinking: true })];
    const app = mailScene(door, { providers }, { store: forgivingStore() });
    await app.open(await app.link(ada));
    const mallory = app.visitor();
    const user = { sub: 'm', email: lookAlike, email_verified: true };
    const page = await app.signIn(fake, { browser: mallory, consent: { user } });
    expect(leadsTo(page)).toBe('/auth/signin?error=OAuthAccountNotLinked');
    expect(startsSession(page)).toBe(false);
    expect(app.store.accounts.size).toBe(0);
  });

  it('is theirs where it differs in letter case alone', async () => {
    const app = mailScene(door, {}, { store: forgivingStore() });
    app.store.users.set('u1', { id: 'u1', email: 'Ada@Example.com', emailVerified: null });
    await app.open(await app.link(ada));
    expect(await app.session()).toMatchObject({ user: { email: 'Ada@Example.com' } });
    expect(app.store.users.size).toBe(1);
  });
});

afterEach(() => vi.unstubAllGlobals());

describe.each(oneDoor)('a vendor that quotes the mail it refuses, through $name', (door) => {
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
