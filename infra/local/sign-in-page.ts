const STYLE = `
  :root { color-scheme: light dark; --ground: #f0f4f9; --sheet: #fff; --ink: #1f1f1f; --faint: #575b5f; --line: #747775; --accent: #0b57d0; --on: #fff; }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #1e1f20; --sheet: #0e0e0e; --ink: #e3e3e3; --faint: #c4c7c5; --line: #8e918f; --accent: #a8c7fa; --on: #062e6f; }
  }
  body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  main { width: min(26rem, calc(100vw - 2rem)); box-sizing: border-box; padding: 2rem; border-radius: 1.5rem; background: var(--sheet); }
  h1 { margin: 0 0 .25rem; font-size: 1.5rem; font-weight: 500; }
  p { margin: 0 0 1.25rem; color: var(--faint); }
  label { display: grid; gap: .25rem; margin-bottom: 1rem; font-size: .875rem; }
  input { font: inherit; font-size: 1rem; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; }
  .check { display: flex; align-items: center; gap: .5rem; }
  div { display: flex; justify-content: flex-end; gap: .5rem; margin-top: 1.5rem; }
  button { font: inherit; font-weight: 500; padding: .6rem 1.4rem; border: 0; border-radius: 2rem; background: none; color: var(--accent); cursor: pointer; }
  button[value=allow] { background: var(--accent); color: var(--on); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`

/** Whose page it is, and what the fields contain at first. */
interface SignInForm {
  provider: string
  email: string
  name: string
  /** names separated by commas; undefined: the provider knows no groups */
  groups?: string
}

/**
 * Stands in for an identity provider's sign-in and consent page: one click, no secret. Sends `decision` (`allow` or `cancel`),
 * `email`, `name`, `groups` and `unverified`. Needs `style-src 'unsafe-inline'`, no script.
 */
export const signInPage = ({ provider, email, name, groups }: SignInForm): string =>
  layOut(
    `Sign in with ${provider} (local)`,
    `<form method="post">
<h1>Sign in with ${escapeHtml(provider)}</h1>
<p>This page plays ${escapeHtml(provider)} on this computer. Nothing is sent to ${escapeHtml(provider)}.</p>
<label>E-mail <input name="email" type="email" required value="${escapeHtml(email)}" autocomplete="off"></label>
<label>Name <input name="name" required value="${escapeHtml(name)}" autocomplete="off"></label>
${groups === undefined ? '' : `<label>Groups, separated by commas <input name="groups" value="${escapeHtml(groups)}" autocomplete="off"></label>`}
<label class="check"><input name="unverified" type="checkbox"> ${escapeHtml(provider)} has not verified this address</label>
<p>The app will see this name and e-mail address${groups === undefined ? '' : ', and the groups'}.</p>
<div><button name="decision" value="cancel" formnovalidate>Cancel</button><button name="decision" value="allow">Allow</button></div>
</form>`,
  )

export const signInErrorPage = (message: string): string =>
  layOut('Sign-in error', `<h1>An error was encountered</h1><p>${escapeHtml(message)}</p>`)

export const signInPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

const layOut = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main>${content}</main></body>
</html>
`

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
