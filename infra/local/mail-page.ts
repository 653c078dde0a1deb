import { escapeHtml } from './sign-in-page.ts'
import type { Mail } from './mailbox.ts'

export const mailboxPath = '/local/mail'

const STYLE = `
  :root { color-scheme: light dark; --ground: #f6f5f2; --sheet: #fff; --ink: #1d1c1a; --faint: #66635c; --line: #dedbd3; }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #171614; --sheet: #211f1c; --ink: #eeece6; --faint: #a5a198; --line: #3a3732; }
  }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1rem; }
  h1 { margin: 0; font-size: 1.5rem; }
  h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
  p { margin: .25rem 0 1.5rem; color: var(--faint); }
  ol { display: grid; gap: 1.25rem; margin: 0; padding: 0; list-style: none; }
  article { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; overflow: hidden; }
  header { padding: .9rem 1.1rem; border-bottom: 1px solid var(--line); }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0 .75rem; margin: .25rem 0 0; color: var(--faint); font-size: .875rem; }
  dd { margin: 0; overflow-wrap: anywhere; }
  iframe { display: block; width: 100%; height: 31rem; border: 0; background: #fff; color-scheme: light; resize: vertical; }
  details { border-top: 1px solid var(--line); padding: .6rem 1.1rem; font-size: .875rem; }
  summary { cursor: pointer; color: var(--faint); }
  pre { margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font: .8125rem/1.5 ui-monospace, monospace; }
`

/**
 * The page that shows the mails of a local installation, newest first.
 * A mail's own HTML stays in a sandboxed frame without scripts; its links open in the whole window.
 * Needs `style-src 'unsafe-inline'`, no script.
 */
export function mailPage(mails: Mail[]): string {
  const count = `${mails.length} ${mails.length === 1 ? 'mail' : 'mails'}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local mail</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Local mail</h1>
<p>${mails.length ? `${count}, newest first. Nothing here was really sent.` : 'No mail yet. Sign up, and the message appears here.'}</p>
<ol>
${mails.map(mailItem).join('\n')}
</ol>
</main>
</body>
</html>
`
}

function mailItem({ to, subject, text, html, sentAt }: Mail): string {
  const title = escapeHtml(subject)
  return `<li><article>
<header><h2>${title}</h2>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd><time datetime="${escapeHtml(sentAt)}">${escapeHtml(
    sentAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'),
  )}</time></dd></dl></header>
<iframe title="${title}" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(
    `<base target="_top">${html}`,
  )}"></iframe>
<details><summary>As plain text</summary><pre>${escapeHtml(text)}</pre></details>
</article></li>`
}
