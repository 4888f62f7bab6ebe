import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { withCode } from '../packages/core/src/views/error.ts';
import { docs } from '../scripts/bundle-docs.ts';

const input = fileURLToPath(new URL('../packages/core/src/errors.ts', import.meta.url));

it.each([
  [undefined, '@latchkey/core/docs/errors.md#autherror'],
  ['https://latchkey.example/docs', 'https://latchkey.example/docs/errors/#autherror'],
  ['https://latchkey.example/', 'https://latchkey.example/errors/#autherror'],
])('with the homepage %s, messages end with %s', async (homepage, url) => {
  const bundle = await rolldown({ input, plugins: [docs(homepage)] });
  const { output } = await bundle.generate({ format: 'esm' });
  const { AuthError } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  expect(new AuthError('It went wrong').message).toBe(`It went wrong. See ${url}`);
});

it('the page of errors has the URL as a link', () => {
  const link = '<a href="https://x.example/errors/#autherror">https://x.example/errors/#autherror</a>';
  expect(withCode('Set `secret`. See https://x.example/errors/#autherror').join('')).toBe(
    `Set <code>secret</code>. See ${link}`,
  );
  expect(withCode('the "host" is https://evil.example/#x. See @latchkey/core/docs/errors.md#x').join('')).not.toContain(
    '<a',
  );
});
