import { teamPageText } from '../../text/service/team-host-text.ts';

/** A page in place of those of a host that cannot be shown: a title and why. Without scripts, and nothing is loaded. */
export function problemPage(name: string, reason: string): string {
  const { title, hint } = teamPageText;
  const content = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escaped(title(name))}</title><style>${style}</style>`,
    `<main><h1>${escaped(title(name))}</h1><p>${escaped(reason)}</p><p>${escaped(hint)}</p></main></html>`,
  ].join('');
  return `data:text/html;charset=utf-8,${encodeURIComponent(content)}`;
}

/** The colours of the windows' own theme (renderer/kit/theme.css). */
const style =
  ':root{color-scheme:light dark}' +
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:15px/1.5 system-ui,sans-serif;' +
  'background:light-dark(#f6f7f9,#0f1117);color:light-dark(#1b2030,#e6e9f0)}' +
  'main{max-width:34rem;padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0 0 .75rem}';

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
