/*
 * Classes, for pages of your own with `@latchkey/core/style.css`, too. The structure of a page is
 * `body > .page > main.signin > (picture > img.logo, .card, footer.links)`.
 *
 * - `.card`: an `h1`, then the content.
 * - `.ways`: all ways to sign in, with gaps between them.
 * - `.identifier`: the form with the one identifier field and the primary button.
 * - `.passkey`: the form of a passkey, with `.buttons` and `.status`.
 * - `.or`: a word between two groups, with a line on both sides.
 * - `.providers`: forms with a button each, `.button.quiet > (.mark, .label, .badge)`.
 * - `.providers.many`: the same in two columns, after `p.caption`.
 * - `details.way`: a way that is closed at first, with a `summary` and a form.
 * - `.button`: the primary button of a page. All other buttons are `.button.quiet`. Both are for links, too.
 * - `.field`: label, input, then `.hint`. `.field.choice` is for a checkbox or radio button.
 * - `.hint`: a sentence below a field. `input.code` is for a code from a mail.
 * - `.error`, `.notice`: a box with a message, above the fields of its form or above all forms.
 * - `.links`: links in a row, below the forms or below the card.
 * - `.badge`: a word beside a label.
 * - `.message`: a centered sentence. `.choices` are buttons below it, and `.back` is a link below these.
 *
 * The script of the pages adds `.reveal`, a button beside the label of a password field.
 */

const palette = `:root{color-scheme:light dark;
--background:light-dark(#f6f7f9,#0d0f12);--surface:light-dark(#ffffff,#17191e);--text:light-dark(#16181d,#eceef2);--muted:light-dark(#565c67,#a4aab6);
--line:light-dark(#dfe2e7,#30343d);--control-line:light-dark(#868c97,#727885);--hover:light-dark(#f4f5f7,#1f2228);
--brand-color:light-dark(#1b1e25,#eceef2);--brand-line-color:var(--brand-color);--button-text-color:light-dark(#ffffff,#16181d);--link-color:var(--text);
--problem:light-dark(#8c1d18,#ffb9b1);--problem-surface:light-dark(#fdf2f1,#2b1817);--problem-line:light-dark(#f0c4c0,#5d2f2b);
--shadow:0 1px 2px light-dark(rgb(16 24 40/.05),rgb(0 0 0/.4)),0 16px 40px -16px light-dark(rgb(16 24 40/.14),rgb(0 0 0/.5));
--radius:.625rem;--font:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
:root[data-color-scheme=light]{color-scheme:light}
:root[data-color-scheme=dark]{color-scheme:dark}`;

const layout = `*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--background);color:var(--text);font:1rem/1.5 var(--font)}
.page{display:grid;place-content:center;grid-template-columns:minmax(0,1fr);min-height:100vh;min-height:100dvh;padding:clamp(1rem,5vw,3rem) 1rem}
main{width:100%;max-width:25rem;margin:0 auto}
main:has(.many){max-width:28rem}
.logo{display:block;max-width:12rem;max-height:3.5rem;margin:0 auto 1.75rem}
.card{padding:2.25rem 2rem;border:1px solid var(--line);border-radius:calc(var(--radius)*1.6);background:var(--surface);box-shadow:var(--shadow)}
.card>:first-child{margin-top:0}
.card>:last-child{margin-bottom:0}
h1{margin:0 0 1.5rem;font-size:1.375rem;font-weight:600;line-height:1.3;letter-spacing:-.012em;text-align:center;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0 0 .75rem;text-wrap:pretty;overflow-wrap:anywhere}
a{color:var(--link-color);text-underline-offset:.2em}
.again{margin-bottom:1.25rem}
:focus-visible{outline:3px solid var(--link-color);outline-offset:2px}
[tabindex="-1"]:focus-visible{outline:none}
.links{display:flex;flex-wrap:wrap;justify-content:center;gap:0 1.25rem;margin:1.25rem 0 0;color:var(--muted);font-size:.9375rem}
.identifier .links{margin-top:.5rem}
.ways+.links{margin-top:.75rem}
.links a{display:inline-flex;align-items:center;min-height:2.75rem;overflow-wrap:anywhere}
footer.links{margin-top:.75rem;font-size:.875rem}
footer a{color:inherit;text-decoration:none}
footer a:hover{text-decoration:underline}`;

const controls = `.button{display:flex;align-items:center;justify-content:center;gap:.75rem;width:100%;min-height:2.75rem;margin:0;padding:.5rem 1rem;border:1px solid var(--brand-line-color);border-radius:var(--radius);background:var(--brand-color);color:var(--button-text-color);font:inherit;font-size:.9375rem;font-weight:600;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{box-shadow:inset 0 0 0 100vmax rgb(127 127 127/.16)}
.button:active{box-shadow:inset 0 0 0 100vmax rgb(127 127 127/.26)}
.button.quiet{border-color:var(--line);background:var(--surface);color:var(--text);font-weight:500}
.button.quiet:hover{border-color:var(--control-line);background:var(--hover);box-shadow:none}
.button:disabled{opacity:.6;cursor:default}
.button[aria-busy=true]{cursor:progress}
.field{margin-bottom:1rem}
.field>label{display:block;margin-bottom:.375rem;font-size:.875rem;font-weight:500}
.field>input:not([type=checkbox],[type=radio]){display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--control-line);border-radius:var(--radius);background:var(--surface);color:inherit;font:inherit}
.field>input::placeholder{color:var(--muted);opacity:1}
.field>input:focus-visible{border-color:transparent;outline-offset:-2px}
.field>input[aria-invalid=true]:not(:focus-visible){border-color:var(--problem)}
.field>input:disabled,.field>input:read-only:not([type=checkbox],[type=radio],[type=range],[type=color]){background:var(--hover);color:var(--muted)}
.field.choice{display:flex;align-items:center;gap:.75rem;min-height:2.75rem}
.field.choice>label{flex:1;margin:0;padding:.625rem 0}
.field.choice>input{width:1.25rem;height:1.25rem;margin:0;accent-color:var(--brand-line-color)}
.field:has(>.reveal){display:grid;grid-template-columns:minmax(0,1fr) auto}
.field>.reveal{grid-area:1/2;min-height:2.75rem;margin:-.75rem 0 -.375rem;padding:0;border:0;background:none;color:var(--link-color);font:inherit;font-size:.875rem;cursor:pointer}
.field>.reveal:hover{text-decoration:underline}
.field:has(>.reveal)>:not(label,.reveal){grid-column:1/-1}
.hint{margin:.375rem 0 0;color:var(--muted);font-size:.875rem}
div.hint{margin-top:1.25rem;text-align:center}
.hint>p{margin:0 0 .375rem}
.choices>.hint{text-align:center}
.field+.hint{margin:-1.125rem 0 .25rem}
.hint>a{display:inline-flex;align-items:center;min-height:2.75rem}
.field>input.code{font-size:1.25rem;letter-spacing:.15em;text-align:center}
main .error,main .notice{margin:0 0 1.25rem;padding:.75rem 1rem;border:1px solid var(--problem-line);border-radius:var(--radius);background:var(--problem-surface);color:var(--problem);font-size:.9375rem;overflow-wrap:anywhere}
main .notice{border-color:var(--line);background:var(--hover);color:var(--text)}
main :is(.error,.notice) p{margin:0;text-align:start}
main :is(.error,.notice) p+p{margin-top:.25rem}
form+form{margin-top:1.5rem}
.message{color:var(--muted);font-size:.9375rem;text-align:center}
.message strong{color:var(--text);font-weight:600}
.message+form{margin-top:1.5rem}
.choices{display:grid;gap:.5rem;margin:1.5rem 0 0}
.choices>*{margin:0}`;

const signIn = `.ways{display:grid;gap:1rem}
.ways>*{margin:0;min-width:0}
.providers,.buttons{display:grid;gap:.5rem}
.providers form{margin:0}
.providers .button{justify-content:flex-start;padding-block:.375rem;text-align:start}
.mark{display:block;flex:none;width:1.75rem;height:1.75rem;border-radius:.4375rem;box-shadow:0 0 0 1px light-dark(rgb(0 0 0/.1),rgb(255 255 255/.2));forced-color-adjust:none}
.letter{position:relative}
.letter::after{content:attr(data-letter);position:absolute;inset:0;display:grid;place-content:center;font-size:.875rem;font-weight:600}
.white::after{color:#fff}
.black::after{color:#000}
.mark.image{padding:.25rem;background:#fff}
.mark>img{display:block;width:1.25rem;height:1.25rem;object-fit:contain}
.label{min-width:0;overflow-wrap:anywhere;text-wrap:balance}
.badge{flex:none;padding:0 .5rem;border:1px solid var(--line);border-radius:1rem;color:var(--muted);font-size:.75rem;font-weight:500;line-height:1.375rem;white-space:nowrap}
.button .badge{margin-inline-start:auto}
.caption{margin:0;color:var(--muted);font-size:.875rem;text-align:center}
.or+.caption{margin-top:-.5rem}
.many{grid-template-columns:repeat(2,minmax(0,1fr))}
.many .button{flex-wrap:wrap;gap:.375rem .625rem;height:100%;padding-inline:.5rem}
.many .label{flex:1;min-width:5rem}
.many .badge{margin-inline-start:2.375rem}
.or{display:flex;align-items:center;gap:.875rem;margin:.25rem 0;color:var(--muted);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
details.way{border:1px solid var(--line);border-radius:var(--radius)}
details.way>summary{min-height:2.75rem;padding:.625rem 1rem;border-radius:inherit;font-size:.9375rem;font-weight:500;cursor:pointer}
details.way>:not(summary){margin:0;padding:.5rem 1rem 1rem}
.status{margin:.75rem 0 0;color:var(--muted);font-size:.9375rem;text-align:center}
.status:empty{display:none}`;

const otherPages = `.glyph{display:block;width:3rem;height:3rem;margin:0 auto 1rem;padding:.75rem;border-radius:50%;background:var(--hover);box-shadow:0 0 0 1px var(--line);fill:none;stroke:var(--brand-line-color);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.glyph.problem{background:var(--problem-surface);box-shadow:0 0 0 1px var(--problem-line);stroke:var(--problem)}
main:not(.signin) h1{margin-bottom:.75rem}
.back{margin:1rem 0 0;font-size:.9375rem;text-align:center}
.back+.back{margin-top:0}
.back>a{display:inline-block;min-height:2.75rem;padding:.625rem;color:var(--muted);overflow-wrap:anywhere}
.back>a:hover{color:var(--text)}
.reference{margin:1.5rem 0 0;padding-top:1.25rem;border-top:1px solid var(--line);color:var(--muted);font-size:.875rem;text-align:center}
code{padding:.125em .375em;border-radius:.25rem;background:var(--hover);color:var(--text);font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9375em;overflow-wrap:anywhere}
main:has(.problems){max-width:40rem}
.card>ul{display:grid;gap:.75rem;margin:1.5rem 0 0;padding:0;list-style:none}
.card>ul>li{padding:1rem;border:1px solid var(--line);border-radius:var(--radius)}
.card>ul h2{margin:0 0 .25rem;font-size:1rem;font-weight:600;overflow-wrap:anywhere}
.card>ul p{margin:0;color:var(--muted);font-size:.9375rem}
.card>ul .remedy{margin-top:.5rem;color:var(--text)}
.card>ul form{margin-top:.75rem}
.card>ul .button{width:auto}
@media (forced-colors:active){.glyph{background:none;stroke:currentcolor}}`;

const conditions = `@media (max-width:30rem){body{background:var(--surface)}.page{place-content:start center}.card{padding:1rem .25rem;border:0;box-shadow:none}}
@media (max-width:20rem){.many{grid-template-columns:minmax(0,1fr)}}
@media (prefers-contrast:more){:root:root:root{--line:currentcolor;--control-line:currentcolor;--muted:var(--text);--problem-line:currentcolor}.card{box-shadow:none}}`;

/**
 * The style sheet of the sign-in page and its steps. Each color stands once, for light and dark pages. The attribute
 * `data-color-scheme` of the root selects one of them. The theme adds a rule with the values of the owner.
 */
export const signInStyles: string = [palette, layout, controls, signIn, conditions].join('\n');

/** The style sheet of all pages. */
export const styles: string = [signInStyles, otherPages].join('\n');
