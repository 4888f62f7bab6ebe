import { describe, expect, it } from 'vitest';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from './doors.ts';
import { scene } from './scene.ts';

const door = doors[0] ?? expect.unreachable();

describe('a wrong look', () => {
  it.each<[config: object, message: string]>([
    [{ theme: { name: 5 } }, '`theme.name` must be a string, but is of type number. Correct it, or leave it out'],
    [{ theme: { lastUsed: 1 } }, '`theme.lastUsed` must be `true` or `false`, but is of type number'],
    [{ theme: { logo: { light: '/l.svg' } } }, '`theme.logo` must be a URL, or `{ light, dark }` with two URLs'],
    [{ theme: { radius: 25 } }, '`theme.radius` must be a number of pixels from 0 to 24'],
    [{ theme: { radius: -1 } }, '`theme.radius` must be a number of pixels from 0 to 24'],
    [{ theme: { radius: '8px' } }, '`theme.radius` must be a number of pixels from 0 to 24'],
    [{ theme: { font: 'x;}' } }, '`theme.font` must name a family with 1 to 64 letters, digits, spaces and hyphens'],
    ...['https://cdn.example/x.woff2', '//cdn.example/x.woff2', '/\\cdn.example/x', 'x.woff2', 5].map(
      (src): [object, string] => [
        { theme: { font: { family: 'Inter', src } } },
        '`theme.font.src` must be a path of this site, for example /fonts/inter.woff2',
      ],
    ),
    [
      { theme: { variables: { '--x': '#fff' } } },
      "`theme.variables['--x']` is not a variable of the pages. Use one of: --background, --surface, --text, ",
    ],
    ...['url(/x)', 'URL(/x)', 'image-set(x)', 'red;}', 'a"', 'a\\', '<', '', 'x'.repeat(97), 5].map(
      (value): [object, string] => [
        { theme: { variables: { '--surface': value } } },
        "`theme.variables['--surface']` must be a CSS value without url()",
      ],
    ),
    [{ theme: { marks: 'none' } }, '`theme.marks` must be "monogram". Correct it, or leave it out'],
    ...['http://a.example/terms', '//a.example/terms', 'javascript:alert(1)', 5].map((page): [object, string] => [
      { pages: { terms: page } },
      `\`pages.terms\` (${JSON.stringify(page)}) must be a path of this site, for example /terms, or an https URL`,
    ]),
    [{ pages: { signUp: 'data:,' } }, 'must be a path of this site, for example /signup, or an https URL'],
  ])('%j is logged, and does not reach a page', async (config, message) => {
    const app = scene(door, config as Partial<AuthConfig>);
    const page = await app.browser.get('/auth/signin');
    expect(page.status).toBe(500);
    expect(app.log.errors.map((error) => error.message)).toEqual([expect.stringContaining(message)]);
    expect(page.text()).not.toMatch(/cdn\.example|a\.example|url\(|red;}/i);
    // Sessions are read without pages, unless a value has the wrong type.
    expect((await app.browser.get('/auth/session')).status).toBe(message.includes('is of type') ? 500 : 200);
  });
});

describe('the look of the pages', () => {
  const open = (config: Partial<AuthConfig>, path = 'signout') => scene(door, config).browser.get(`/auth/${path}`);
  const html = async (config: Partial<AuthConfig>): Promise<string> => (await open(config)).text();
  const policyOf = async (config: Partial<AuthConfig>): Promise<string> =>
    (await open(config)).headers.get('content-security-policy') ?? '';

  it('has the name of the application in its title, and nothing without a name', async () => {
    expect(await html({ theme: { name: 'Acme & Co' } })).toMatch(/<title>[^<·]+ · Acme &amp; Co<\/title>/);
    expect(await html({})).toMatch(/<title>[^<·]+<\/title>/);
  });

  it('has one logo, or one for each color scheme', async () => {
    const logo = { light: '/l.svg', dark: 'https://cdn.example/a b' };
    const dark = '<source srcset="https://cdn.example/a%20b" media="(prefers-color-scheme:dark)">';
    expect(await html({ theme: { logo, name: 'Acme' } })).toContain(
      `<picture>${dark}<img class="logo" src="/l.svg" alt="Acme"></picture>`,
    );
    expect(await policyOf({ theme: { logo } })).toContain("img-src 'self' data: https://cdn.example;");
    const only = (theme: AuthConfig['theme']) => html({ theme: { logo, ...theme } });
    expect(await only({ colorScheme: 'light' })).toContain('<picture><img class="logo" src="/l.svg" alt=""></picture>');
    expect(await only({ colorScheme: 'dark' })).toContain('<picture><img class="logo" src="https://cdn.example/a%20b"');
    const ofSite = { light: '/l.svg', dark: ' /a b  c.svg ' };
    expect(await only({ logo: ofSite })).toContain('<source srcset="/a%20b%20%20c.svg"');
    expect(await only({ logo: '/one.svg' })).toContain('<picture><img class="logo" src="/one.svg" alt=""></picture>');
  });

  it('has a favicon', async () => {
    expect(await html({ theme: { favicon: '/icon.svg' } })).toContain('<link rel="icon" href="/icon.svg">');
    expect(await policyOf({ theme: { favicon: 'https://cdn.example/i.png' } })).toContain('data: https://cdn.example;');
    expect(await html({})).not.toContain('rel="icon"');
  });

  it.each<[AuthConfig['theme'], string]>([
    [{ radius: 0 }, ':root:root{--radius:0px}'],
    [{ radius: 24 }, ':root:root{--radius:24px}'],
    [{ font: 'Avenir Next' }, ':root:root{--font:"Avenir Next",system-ui,sans-serif}'],
    [{ font: 'avenir Next' }, ':root:root{--font:"avenir Next",system-ui,sans-serif}'],
    [{ font: 'serif' }, ':root:root{--font:serif,system-ui,sans-serif}'],
    [{ variables: { '--surface': 'light-dark(#fff, #14161a)' } }, ':root:root{--surface:light-dark(#fff, #14161a)}'],
    [{ radius: 4, variables: { '--radius': '1rem' } }, ':root:root{--radius:1rem}'],
  ])('has a rule for %j in its one style sheet', async (theme, rule) => {
    const page = await html({ theme });
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page).toContain(`\n${rule}</style>`);
    expect(await policyOf({ theme })).not.toContain('font-src');
  });

  it('loads a font of the site, with a policy that allows it', async () => {
    const theme = { font: { family: 'Inter', src: '/fonts/a".woff2?v=\\1' } };
    expect(await html({ theme })).toContain(
      '\n@font-face{font-family:"Inter";src:url("/fonts/a%22.woff2?v=%5C1");font-display:swap;font-weight:100 900}\n' +
        ':root:root{--font:"Inter",system-ui,sans-serif}</style>',
    );
    expect(await policyOf({ theme })).toContain("; font-src 'self'; ");
  });

  const tag = (color: string, scheme?: string): string =>
    `<meta name="theme-color" content="${color}"${scheme ? ` media="(prefers-color-scheme:${scheme})"` : ''}>`;
  it.each<[AuthConfig['theme'], string[]]>([
    [{}, [tag('#ffffff', 'light'), tag('#17191e', 'dark')]],
    [{ colorScheme: 'dark' }, [tag('#17191e')]],
    [{ variables: { '--surface': 'light-dark(#fefefe, #111)' } }, [tag('#fefefe', 'light'), tag('#111111', 'dark')]],
    [{ variables: { '--surface': '#abc' }, colorScheme: 'light' }, [tag('#aabbcc')]],
    [{ variables: { '--surface': 'oklch(70% .1 200)' } }, []],
    [{ variables: { '--surface': 'light-dark(#fefefe, tomato)' } }, []],
    [{ variables: { '--surface': 'none light-dark(#fefefe, #111)' } }, []],
    [{ variables: { '--surface': 'light-dark(#fefefe, #111) none' } }, []],
  ])('tells the browser the color of the card: %j', async (theme, tags) => {
    const page = await html({ theme });
    expect(page).toContain('<main ');
    expect(page.match(/<meta name="theme-color".*>/g) ?? []).toEqual(tags);
  });

  it('links to terms, privacy and help below the card, on each page', async () => {
    const pages = { terms: '/terms', privacy: 'https://acme.example/privacy?a=1&b', help: 'help' };
    const links =
      '<a href="/terms">Terms</a><a href="https://acme.example/privacy?a=1&amp;b">Privacy</a><a href="/help">Help</a>';
    for (const path of ['signin', 'signout', 'error', 'verify-request']) {
      expect((await open({ pages }, path)).text()).toContain(`<footer class="links">${links}</footer>`);
    }
    expect(await html({})).not.toContain('<footer');
  });
});
