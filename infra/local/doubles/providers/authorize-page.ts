import { escapeHtml } from '../../sign-in-page.ts'
import type { ProviderResponse } from './http.ts'

const style = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
  body { display: grid; place-items: center; min-height: 90vh; margin: 0; padding: 1rem; }
  main { max-width: 26rem; display: grid; gap: 1rem; line-height: 1.5; }
  h1 { font-size: 1.25rem; margin: 0; }
  p { margin: 0; }
  ul { margin: 0; padding-inline-start: 1.25rem; overflow-wrap: anywhere; }
  .note { font-size: 0.875rem; opacity: 0.75; }
  nav { display: flex; gap: 0.75rem; }
  button { font: inherit; padding: 0.6rem 1.4rem; border-radius: 0.5rem; border: 1px solid currentColor; background: none; color: inherit; cursor: pointer; }
  button[value=allow] { background: #1f5eff; border-color: #1f5eff; color: white; }`

/** The double's consent page: two buttons, nothing to type. */
export function authorizePage(provider: string, query: URLSearchParams): ProviderResponse {
  const hidden = [...query]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
  const scopes = (query.get('scope') ?? '').split(/[ ,]+/).filter(Boolean)
  const list =
    scopes.length > 0 ? `<ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>` : ''
  return page(
    200,
    `${provider} (local stand-in)`,
    `<h1>Connect ${escapeHtml(provider)}?</h1>
     <p>The app <strong>${escapeHtml(query.get('client_id') ?? '')}</strong> asks for access${list ? ' to:' : '.'}</p>${list}
     <form action="authorize/decide" method="get">${hidden}
       <nav><button name="decision" value="allow">Allow</button><button name="decision" value="cancel">Cancel</button></nav>
     </form>
     <p class="note">This page stands in for ${escapeHtml(provider)} on your machine. No real account is touched.</p>`,
  )
}

export function refusalPage(problem: string): ProviderResponse {
  return page(400, 'Not possible', `<h1>This request cannot be answered</h1><p>${escapeHtml(problem)}</p>`)
}

function page(status: number, title: string, content: string): ProviderResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style><main>${content}</main></html>`,
  }
}
