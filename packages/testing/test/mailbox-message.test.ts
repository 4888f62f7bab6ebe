import { describe, expect, it } from 'vitest';
import { parseMessage } from '../src/mailbox/message.ts';

const parse = (...lines: string[]) => parseMessage(Buffer.from(lines.join('\r\n')));

describe('parseMessage', () => {
  it('reads a plain mail', () => {
    const mail = parse(
      'From: a@example.com',
      'Subject: Hello',
      ' there',
      '',
      'First',
      '',
      'https://app.test/x?a=1&b=2',
    );
    expect(mail.subject).toBe('Hello there');
    expect(mail.headers.get('from')).toBe('a@example.com');
    expect(mail.text).toBe('First\n\nhttps://app.test/x?a=1&b=2');
    expect(mail.html).toBe('');
    expect(mail.links).toEqual(['https://app.test/x?a=1&b=2']);
  });

  it('reads both parts, quoted-printable and base64', () => {
    const mail = parse(
      'Content-Type: multipart/alternative;',
      ' boundary="--_b 1"',
      '',
      'a preamble',
      '----_b 1',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=C3=BC=C3=9Fe https://app.test/callback?token=3D12=',
      '34&email=3Da%40b.c',
      '----_b 1',
      'Content-Type: text/html; charset=iso-8859-1',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<a href="https://app.test/?a=1&amp;b=2">Gr\xfc\xdfe</a><a name="x">', 'latin1').toString('base64'),
      '----_b 1--',
      'an epilogue',
    );
    expect(mail.text).toBe('Grüße https://app.test/callback?token=1234&email=a%40b.c');
    expect(mail.html).toContain('>Grüße</a>');
    expect(mail.links).toEqual(['https://app.test/?a=1&b=2', 'https://app.test/callback?token=1234&email=a%40b.c']);
  });

  it('finds nested parts, and ignores attachments', () => {
    const mail = parse(
      'Content-Type: multipart/mixed; boundary=outer',
      '',
      '--outer',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain',
      '',
      'inside',
      '--inner--',
      '--outer',
      'Content-Type: application/octet-stream',
      '',
      'bytes',
      '--outer--',
    );
    expect(mail.text).toBe('inside');
  });

  it.each([
    ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an_alle?=', 'Grüße an alle'],
    ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe_?= =?UTF-8?Q?=22alle=22?=', 'Grüße "alle"'],
    ['=?utf-8?B?R3LDvMOfZQ==?= =?utf-8*de?Q?_an_alle?=', 'Grüße an alle'],
    ['=?iso-8859-1?Q?Gr=FC=DFe?= und so', 'Grüße und so'],
    ['=?no-such-charset?Q?plain?=', 'plain'],
    ['Grüße', 'Grüße'],
    ['1 =? 2', '1 =? 2'],
  ])('reads the subject %s', (subject, expected) => {
    expect(parse(`Subject: ${subject}`, '', '').subject).toBe(expected);
  });

  it.each(['', '\r\n', 'no headers at all', 'Content-Type: multipart/mixed; boundary=x\r\n\r\nno part'])(
    'takes %j as it comes',
    (source) => {
      expect(parse(source)).toMatchObject({ html: '', links: [] });
    },
  );
});
