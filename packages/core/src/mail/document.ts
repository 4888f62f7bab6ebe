import type { Language } from '../messages/en.ts';
import type { Theme } from '../types/provider.ts';
import { toHex } from '../views/color.ts';
import { type Html, html, styleElement } from '../views/html.ts';
import { buttonColors } from '../views/theme.ts';
import { logoRow } from './site.ts';

/** Parts of a mail. */
export interface MailParts {
  readonly title: string;
  /** Text that mail programs show beside the subject. It is not visible in the mail. */
  readonly preview: string;
  readonly theme: Theme;
  /** The site's origin, for a logo that is a path. */
  readonly origin: string;
  readonly language: Language;
  /** Rows of the card: `<tr>` with one `<td>` each. */
  readonly rows: readonly Html[];
}

/**
 * Returns the HTML of a mail. It consists of tables and inline styles, because mail programs support little else. A
 * style sheet adds dark colors in programs that support it. The mail loads the logo, and nothing else.
 */
export function mailDocument({ title, preview, theme, origin, language, rows }: MailParts): string {
  const { code, dir } = language;
  const scheme = theme.colorScheme === 'light' || theme.colorScheme === 'dark' ? theme.colorScheme : 'light dark';
  const colors = scheme === 'dark' ? dark : light;
  return html`<!doctype html>
<html lang="${code}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<title>${title}</title>
${styleElement(`:root{color-scheme:${scheme};supported-color-schemes:${scheme}}`)}
${scheme === 'light dark' && styleElement(darkRules(theme))}
</head>
<body class="ground" style="margin:0;padding:0;background-color:${colors.ground};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${colors.ground}" style="background-color:${colors.ground}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${colors.card}" style="max-width:480px;background-color:${colors.card};border:1px solid ${colors.line};border-radius:16px">
${logoRow(theme, origin)}${rows}
<tr><td height="32" style="height:32px;font-size:0;line-height:0">&nbsp;</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString();
}

/** Returns a row of text. `kind` determines its size and color. */
export function textRow(kind: TextKind, content: Html, theme: Theme): Html {
  const { font, padding, color } = texts[kind];
  const style = `color:${paletteOf(theme)[color]};font:${font} ${fonts};text-align:left;text-align:start;word-break:break-word;overflow-wrap:anywhere`;
  return kind === 'heading'
    ? html`<tr><td style="padding:${padding}"><h1 class="${color}" style="margin:0;${style}">${content}</h1></td></tr>`
    : html`<tr><td class="${color}" style="padding:${padding};${style}">${content}</td></tr>`;
}

/** Returns a row with a code. */
export function codeRow(code: string, theme: Theme): Html {
  const { text, line } = paletteOf(theme);
  return html`<tr><td style="padding:16px 32px 4px"><div class="text line" style="padding:14px 16px;border:1px solid ${line};border-radius:11px;color:${text};font:600 28px/34px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:2px;text-align:center">${code}</div></td></tr>`;
}

/** Returns a row with a button. Cell and link both set the color, because some mail programs apply only one of them. */
export function buttonRow(label: string, url: string, theme: Theme): Html {
  const own = buttonColors(theme);
  const { button, buttonText } = paletteOf(theme);
  const background = own ? toHex(own.background) : button;
  const text = own ? toHex(own.text) : buttonText;
  return html`<tr><td style="padding:20px 32px 28px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" align="center" bgcolor="${background}" style="border-radius:11px;background-color:${background}"><a class="button" href="${url}" style="display:block;padding:14px 16px;border-radius:11px;background-color:${background};color:${text};font:600 16px/20px ${fonts};text-align:center;text-decoration:none">${label}</a></td></tr></table></td></tr>`;
}

/** Returns a line between rows. */
export function ruleRow(theme: Theme): Html {
  return html`<tr><td style="padding:0 32px"><div class="line" style="border-top:1px solid ${paletteOf(theme).line};font-size:0;line-height:0">&nbsp;</div></td></tr>`;
}

/**
 * Returns a link in the color of its row. In a heading it looks like text; mail programs would make the host a link.
 */
export function textLink(kind: TextKind, text: string, url: string, theme: Theme): Html {
  const { color } = texts[kind];
  const decoration = kind === 'heading' ? 'none' : 'underline';
  return html`<a class="${color}" href="${url}" style="color:${paletteOf(theme)[color]};text-decoration:${decoration}">${text}</a>`;
}

interface Palette {
  readonly ground: string;
  readonly card: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly button: string;
  readonly buttonText: string;
}

/** The same colors as on the pages. */
const light: Palette = {
  ground: '#f6f7f9',
  card: '#ffffff',
  line: '#dfe2e7',
  text: '#16181d',
  muted: '#565c67',
  button: '#1b1e25',
  buttonText: '#ffffff',
};
const dark: Palette = {
  ground: '#0d0f12',
  card: '#17191e',
  line: '#30343d',
  text: '#eceef2',
  muted: '#a4aab6',
  button: '#eceef2',
  buttonText: '#16181d',
};

const fonts = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

const texts = {
  heading: { font: '600 24px/30px', padding: '32px 32px 0', color: 'text' },
  plain: { font: '400 16px/24px', padding: '12px 32px 0', color: 'text' },
  quiet: { font: '400 14px/21px', padding: '20px 32px 0', color: 'muted' },
  small: { font: '400 12px/18px', padding: '6px 32px 0', color: 'muted' },
} as const;

/** Kind of a text row: heading, body, note or small print. */
export type TextKind = keyof typeof texts;

function paletteOf({ colorScheme }: Theme): Palette {
  return colorScheme === 'dark' ? dark : light;
}

/** Returns the dark palette for readers who prefer it. Configured button colors stay the same. */
function darkRules(theme: Theme): string {
  const button = buttonColors(theme)
    ? ''
    : `.button{background-color:${dark.button}!important;color:${dark.buttonText}!important}`;
  return `@media (prefers-color-scheme:dark){.ground{background-color:${dark.ground}!important}.card{background-color:${dark.card}!important;border-color:${dark.line}!important}.line{border-color:${dark.line}!important}.text{color:${dark.text}!important}.muted{color:${dark.muted}!important}${button}}`;
}
