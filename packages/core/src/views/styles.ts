const light = `color-scheme:light;
--background:#f4f5f7;--surface:#ffffff;--text:#16181d;--muted:#565c67;--line:#d9dce2;--control-line:#868c97;--hover:#f4f5f7;
--brand-color:#1b1e25;--brand-line-color:#1b1e25;--button-text-color:#ffffff;--link-color:#16181d;
--problem:#8c1d18;--problem-surface:#fdf2f1;--problem-line:#f0c4c0;
--shadow:0 1px 2px rgb(16 24 40/.05),0 12px 32px -12px rgb(16 24 40/.14);--monogram:#e8eaee;--monogram-text:#3c424d;--ring:rgb(0 0 0/.14)`;

const dark = `color-scheme:dark;
--background:#0d0f12;--surface:#17191e;--text:#eceef2;--muted:#a4aab6;--line:#30343d;--control-line:#727885;--hover:#1f2228;
--brand-color:#eceef2;--brand-line-color:#eceef2;--button-text-color:#16181d;--link-color:#eceef2;
--problem:#ffb9b1;--problem-surface:#2b1817;--problem-line:#5d2f2b;
--shadow:0 1px 2px rgb(0 0 0/.4),0 16px 40px -12px rgb(0 0 0/.5);--monogram:#30343d;--monogram-text:#d5d9e0;--ring:rgb(255 255 255/.22)`;

const layout = `*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--background);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-font-smoothing:antialiased}
.page{display:grid;place-content:center;grid-template-columns:minmax(0,1fr);min-height:100vh;min-height:100dvh;padding:clamp(1rem,5vw,3rem) 1rem}
main{width:100%;max-width:25rem;margin:0 auto}
.logo{display:block;max-width:12rem;max-height:4rem;margin:0 auto 1.75rem}
.card{padding:2.25rem 2rem;border:1px solid var(--line);border-radius:1.125rem;background:var(--surface);box-shadow:var(--shadow)}
.card>:first-child{margin-top:0}
.card>:last-child{margin-bottom:0}
h1{margin:0 0 1.5rem;font-size:1.5rem;font-weight:650;line-height:1.25;letter-spacing:-.015em;text-align:center;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0 0 .75rem;text-wrap:pretty;overflow-wrap:anywhere}
a{color:var(--link-color);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--link-color);outline-offset:2px}`;

const controls = `.button{display:flex;align-items:center;justify-content:center;gap:.75rem;width:100%;min-height:3rem;margin:0;padding:.625rem 1rem;border:1px solid var(--brand-line-color);border-radius:.6875rem;background:var(--brand-color);color:var(--button-text-color);font:inherit;font-weight:600;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{box-shadow:inset 0 0 0 100vmax rgb(127 127 127/.16)}
.button:active{box-shadow:inset 0 0 0 100vmax rgb(127 127 127/.26)}
.button.quiet{border-color:var(--line);background:var(--surface);color:var(--text);font-weight:550}
.button.quiet:hover{border-color:var(--control-line);background:var(--hover);box-shadow:none}
.field{margin-bottom:1rem}
.field>label{display:block;margin-bottom:.375rem;font-size:.9375rem;font-weight:550}
.field>input:not([type=checkbox],[type=radio]){display:block;width:100%;min-height:3rem;padding:.5rem .875rem;border:1px solid var(--control-line);border-radius:.6875rem;background:var(--surface);color:inherit;font:inherit}
.field>input::placeholder{color:var(--muted);opacity:1}
.field>input:focus-visible{border-color:transparent;outline-offset:-2px}
.field>input:disabled,.field>input:read-only:not([type=checkbox],[type=radio],[type=range],[type=color]){background:var(--hover);color:var(--muted)}
.field.choice{display:flex;align-items:center;gap:.75rem;min-height:2.75rem}
.field.choice>label{margin:0;padding:.5rem 0;flex:1}
.field.choice>input{width:1.375rem;height:1.375rem;margin:0;accent-color:var(--brand-line-color)}
form+form,.way+.way{margin-top:1.5rem}`;

const signIn = `.providers{display:grid;gap:.625rem}
.providers .button{justify-content:flex-start;text-align:start}
.mark{display:grid;flex:none;place-content:center;width:1.75rem;height:1.75rem;border-radius:50%;background:var(--provider-brand-color,var(--monogram));box-shadow:0 0 0 1px var(--ring);color:var(--provider-text-color,var(--monogram-text));font-size:.875rem;font-weight:650;line-height:1}
.mark>svg{display:block;width:1rem;height:1rem;fill:currentcolor}
.mark.image{border-radius:.375rem;background:#fff}
.mark>img{display:block;width:1.25rem;height:1.25rem;object-fit:contain}
.label{min-width:0;overflow-wrap:anywhere;text-wrap:balance}
.many{grid-template-columns:repeat(2,minmax(0,1fr));gap:.5rem}
.many .button{gap:.5rem;height:100%;padding:.375rem .625rem;font-size:.9375rem}
.many .with{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.many form{position:relative;height:100%}
.or{display:flex;align-items:center;gap:.875rem;margin:1.375rem 0;color:var(--muted);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.section-header{margin:0 0 1rem;font-size:1rem;font-weight:650}
.signin .error,.message[role=alert]{margin:0 0 1.5rem;padding:.875rem 1rem;border:1px solid var(--problem-line);border-radius:.6875rem;background:var(--problem-surface);color:var(--problem);font-size:.9375rem}
.signin .error.notice{border-color:var(--line);background:var(--hover);color:var(--text)}
.signin .error>p{margin:0;text-wrap:balance}
.signin .error>p+p{margin-top:.25rem}
.buttons{display:grid;gap:.625rem}
.button:disabled{opacity:.6;cursor:default}
.status{margin:.75rem 0 0;color:var(--muted);font-size:.9375rem;text-align:center}
.status:empty{display:none}
form .message{margin:.75rem 0 1rem;font-size:.9375rem}
.jump{margin:-.75rem 0 1.25rem;text-align:center;font-size:.9375rem}
.jump>a{display:inline-block;padding:.625rem}
@media (min-width:44rem){main:has(.many){max-width:40rem}.many{grid-template-columns:repeat(3,minmax(0,1fr))}main:has(.many) .way{max-width:23rem;margin-inline:auto}}`;

const messages = `.glyph{display:block;width:3.25rem;height:3.25rem;margin:0 auto 1.125rem;padding:.8125rem;border-radius:50%;background:var(--hover);box-shadow:0 0 0 1px var(--line);fill:none;stroke:var(--brand-line-color);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.glyph.problem{background:var(--problem-surface);box-shadow:0 0 0 1px var(--problem-line);stroke:var(--problem)}
.signout h1,.error h1,.verify-request h1{margin-bottom:.75rem}
.message{color:var(--muted);text-align:center}
.message strong{color:var(--text);font-weight:600}
.message[role=alert] strong{color:inherit}
.message+form{margin-top:1.5rem}
.choices{display:grid;gap:.625rem;margin:1.75rem 0 0}
.choices>form{margin-top:0}
.back{margin:1.5rem 0 0;text-align:center}
.back+.back{margin-top:0}
.back>a{display:inline-block;min-height:2.75rem;padding:.625rem;overflow-wrap:anywhere}
.reference{margin:1.5rem 0 0;padding-top:1.25rem;border-top:1px solid var(--line);color:var(--muted);font-size:.875rem;text-align:center}
code{padding:.125em .375em;border-radius:.25rem;background:var(--hover);color:var(--text);font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9375em;overflow-wrap:anywhere}
main:has(.problems){max-width:40rem}
.problems{display:grid;gap:.75rem;margin:1.75rem 0 0;padding:0;list-style:none}
.problems>li{padding:1rem 1.125rem;border:1px solid var(--line);border-radius:.6875rem}
.problems h2{margin:0 0 .25rem;font-size:1rem;font-weight:650;overflow-wrap:anywhere}
.problems p{margin:0;color:var(--muted);font-size:.9375rem}
.problems p.remedy{margin-top:.5rem;color:var(--text)}`;

const conditions = `@media (max-width:30rem){.card{padding:1.75rem 1.25rem}}
@media (max-width:20rem){.many{grid-template-columns:minmax(0,1fr)}}
@media (prefers-reduced-motion:no-preference){.button,.field>input{transition:background-color .12s,border-color .12s,box-shadow .12s}}
@media (prefers-contrast:more){:root:root{--line:currentcolor;--control-line:currentcolor;--muted:var(--text);--problem-line:currentcolor}.card{box-shadow:none}}
@media (forced-colors:active){.mark{border:1px solid}.glyph{stroke:currentcolor}}`;

/**
 * The style sheet of all pages. Each palette stands once and is used by the visitor's wish or by the owner's
 * (`data-color-scheme`). No fonts and no images: a page is complete in one answer.
 */
export const styles: string = [
  `:root{${light}}`,
  `@media (prefers-color-scheme:dark){:root[data-color-scheme="auto"]{${dark}}}`,
  `:root[data-color-scheme="dark"]{${dark}}`,
  layout,
  controls,
  signIn,
  messages,
  conditions,
].join('\n');
