import { escapeHtml } from './sign-in-page.ts'
import type { Mail } from './mailbox.ts'
import type { ReceivedPush } from './push-service.ts'

export const mailboxPath = '/local/mail'
export const mailListPath = '/local/mail.json'
/** Each shown mail is a frame of its own. */
const maxShownMails = 500
/** Takes the form by which an account's pushes are received here. */
export const subscribePath = '/local/push'

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
  section + section { margin-top: 3rem; }
  section > h2 { font-size: 1.25rem; }
  article p { margin: .25rem 0 0; }
  form { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: 0 0 1.5rem; }
  label { display: grid; flex: 1 1 14rem; gap: .25rem; font-size: .875rem; }
  input { min-width: 0; border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); color: inherit; }
  input, button { padding: .5rem .75rem; font: inherit; }
  button { border: 1px solid var(--ink); border-radius: .5rem; background: var(--ink); color: var(--ground); cursor: pointer; }
  a { color: inherit; }
  :focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
  [role=alert] { color: inherit; font-weight: 600; }
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
 * The page that shows the newest mails and the pushes of a local installation, newest first.
 * A mail's own HTML stays in a sandboxed frame without scripts; its links open in the whole window.
 * Needs `style-src 'unsafe-inline'`, no script.
 * @param refused an address that has no account
 */
export function mailPage({
  mails,
  pushes,
  refused,
}: {
  mails: Mail[]
  pushes: ReceivedPush[]
  refused?: string | undefined
}): string {
  const count = `${mails.length} ${mails.length === 1 ? 'mail' : 'mails'}`
  const shown = mails.slice(0, maxShownMails)
  const more =
    shown.length < mails.length
      ? `; the newest ${shown.length} are here, all of them in <a href="${mailListPath}">${mailListPath}</a>`
      : ''
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
<section>
<h1>Local mail</h1>
<p>${mails.length ? `${count}, newest first${more}. Nothing here was really sent.` : 'No mail yet. Sign up, and the message appears here.'}</p>
<ol>
${shown.map(mailItem).join('\n')}
</ol>
</section>
<section id="push">
<h2>Push messages</h2>
<p>A push service on this computer receives them in place of a browser’s. They arrive while no page of the product is open.</p>
<form method="post" action="${subscribePath}">
<label>Account’s e-mail address <input name="email" type="email" required autocomplete="off"${refused === undefined ? '' : ` value="${escapeHtml(refused)}" aria-invalid="true" aria-describedby="refused" autofocus`}></label>
<button>Receive pushes here</button>
</form>
${refused === undefined ? '' : '<p id="refused" role="alert">No account has this address.</p>'}
<ol>
${pushes.map(pushItem).join('\n')}
</ol>
${pushes.length ? '' : '<p>No push message yet.</p>'}
</section>
</main>
</body>
</html>
`
}

function pushItem({ to, title, body, path, sentAt }: ReceivedPush): string {
  // of the page's origin, whatever the message says
  const link = `/${path.replace(/^[/\\]+/, '')}`
  return `<li><article>
<header><h2>${escapeHtml(title)}</h2>
<p>${escapeHtml(body)}</p>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${timeElement(sentAt)}</dd><dt>Opens</dt><dd><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></dd></dl></header>
</article></li>`
}

const timeElement = (sentAt: string) =>
  `<time datetime="${escapeHtml(sentAt)}">${escapeHtml(sentAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}</time>`

function mailItem({ to, subject, text, html, sentAt }: Mail): string {
  const title = escapeHtml(subject)
  return `<li><article>
<header><h2>${title}</h2>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${timeElement(sentAt)}</dd></dl></header>
<iframe title="${title}" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(
    `<base target="_top">${html}`,
  )}"></iframe>
<details><summary>As plain text</summary><pre>${escapeHtml(text)}</pre></details>
</article></li>`
}
