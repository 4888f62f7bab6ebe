import { createHash } from 'node:crypto';
import { Html } from './html.ts';

const css = `:root{color-scheme:light dark;--back:light-dark(#f4f5f7,#0d0f12);--card:light-dark(#fff,#17191e);--text:light-dark(#16181d,#eceef2);--soft:light-dark(#565c67,#a4aab6);--line:light-dark(#d9dce2,#30343d);--main:light-dark(#1b1e25,#eceef2);--on-main:light-dark(#fff,#16181d)}
*{box-sizing:border-box}
body{margin:0 auto;padding:clamp(1.25rem,6vh,4rem) 1.25rem 2rem;max-width:37.5rem;min-height:100vh;display:flex;flex-direction:column;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
html{background:var(--back)}
header{display:flex;align-items:center;justify-content:space-between;margin:0 .25rem 1.25rem;color:var(--soft);font-size:.9375rem}
header span{flex:1;margin-left:.625rem}
header a{color:var(--soft);text-underline-offset:.2em}
header .brand{display:flex;align-items:center;gap:.5rem;color:var(--text);font-weight:650;text-decoration:none}
header svg{width:1.375rem;height:1.375rem;fill:none;stroke:currentcolor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
main{flex:1}
.card{padding:2rem;border:1px solid var(--line);border-radius:1.125rem;background:var(--card);box-shadow:0 12px 32px -16px rgb(16 24 40/.16)}
h1{margin:0;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;font-weight:650;overflow-wrap:anywhere}
main a:not(.button){color:inherit;text-underline-offset:.2em}
h2{margin:2.25rem .25rem .75rem;font-size:1rem;font-weight:650}
p{margin:.5rem 0 0;text-wrap:pretty;overflow-wrap:anywhere}
.soft{color:var(--soft)}
.person{display:flex;align-items:center;gap:1rem}
.person img{flex:none;border-radius:50%}
.person p{margin:.125rem 0 0}
.buttons{display:flex;flex-wrap:wrap;gap:.625rem;margin-top:1.5rem}
.button{flex:1 1 9rem;padding:.6875rem 1rem;border:1px solid var(--main);border-radius:.6875rem;background:var(--main);color:var(--on-main);font-weight:600;line-height:1.4;text-align:center;text-decoration:none}
button.button{font-family:inherit;font-size:1rem;cursor:pointer}
.button.quiet{border-color:var(--line);background:none;color:var(--text)}
.button:hover{box-shadow:inset 0 0 0 100vmax rgb(127 127 127/.14)}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875rem}
code{white-space:nowrap}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;padding:1.125rem 1.25rem;overflow-x:auto;border:1px solid var(--line);border-radius:.875rem;background:var(--card);line-height:1.6}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.5rem .75rem .5rem .25rem;border-top:1px solid var(--line);text-align:left;vertical-align:top}
thead th{border-top:0}
th{color:var(--soft);font-weight:500;font-size:.875rem}
tbody th{padding-top:1.125rem}
td:last-child{width:55%}
small{color:var(--soft);font-size:.875rem;font-weight:400}
td small{display:block;font-size:.8125rem}
.modes{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.75rem}
.mode{display:flex;flex-direction:column;padding:1.125rem 1.25rem 1.25rem;border:1px solid var(--line);border-radius:.875rem}
.mode.on{background:var(--card)}
h3{margin:0;font-size:1rem;font-weight:650}
.mode p{flex:1;margin:.25rem 0 1rem;font-size:.9375rem}
h3::first-letter{text-transform:uppercase}
.mode .button,.mode .state{flex:none;margin:0;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.6875rem;font-size:.9375rem;line-height:1.4}
.mode .state{border-color:transparent;background:var(--back);color:var(--soft);font-weight:600;text-align:center}
.mode .state::before{content:"";display:inline-block;width:.375rem;height:.6875rem;margin-right:.625rem;border:solid;border-width:0 2px 2px 0;rotate:45deg}
.note{margin:.75rem .25rem 0;font-size:.875rem}
.nothing{margin-top:1.25rem;padding:2rem 1.25rem;border:1px dashed var(--line);border-radius:.875rem;text-align:center;text-wrap:balance}
.mail{margin-top:1.25rem;border:1px solid var(--line);border-radius:.875rem;background:var(--card);overflow:hidden}
.mail+.mail{margin-top:.625rem}
.mail>summary{display:grid;grid-template-columns:1fr auto;gap:.125rem 1rem;padding:1rem 1.25rem;color:var(--soft);font-size:.875rem;cursor:pointer;overflow-wrap:anywhere}
.mail>summary:focus-visible{outline-offset:-4px;border-radius:.875rem}
.mail>summary::after{content:"";grid-area:1/2;align-self:center;justify-self:end;width:.5rem;height:.5rem;margin-right:.25rem;border:solid;border-width:0 2px 2px 0;translate:0 -25%;rotate:45deg}
.mail[open]>summary::after{translate:0 25%;rotate:225deg}
.mail h2{margin:0;color:var(--text)}
iframe{display:block;width:100%;height:34rem;border:0;border-block:1px solid var(--line)}
.plain{padding:.875rem 1.25rem;font-size:.875rem}
.plain summary{cursor:pointer;color:var(--soft)}
.text{white-space:pre-wrap}
footer{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:2.5rem .25rem 0;color:var(--soft);font-size:.875rem}
footer a{color:inherit;text-underline-offset:.2em}
@media (max-width:30rem){.mail time{grid-column:1}iframe{height:42rem}}
@media (max-width:26rem){.card{padding:1.5rem 1.25rem}}`;

/** The style sheet of all pages. */
export const style: Html = new Html(`<style>${css}</style>`);

const key = '<circle cx="8" cy="12" r="4.5"/><path d="M12.5 12H21m-3 0v3.5M15 12v2"/>';

/** A key, shown beside the name. */
export const mark: Html = new Html(`<svg viewBox="0 0 24 24" aria-hidden="true">${key}</svg>`);

/** The same key as the favicon. */
export const icon: string = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>g{fill:none;stroke:#16181d;stroke-width:2.25;stroke-linecap:round;stroke-linejoin:round}@media (prefers-color-scheme:dark){g{stroke:#eceef2}}</style><g>${key}</g></svg>`;

/**
 * Returns the Content-Security-Policy of the demo's pages: no scripts, this style sheet, pictures of users from the
 * provider, and frames from the demo itself.
 *
 * @param issuer The provider's issuer. Default: no pictures of users.
 */
export function pagePolicy(issuer = ''): string {
  const hash = createHash('sha256').update(css).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' ${issuer}; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}
