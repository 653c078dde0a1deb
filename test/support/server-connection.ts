import { GrantGone } from '../../functions/providers/errors.ts'
import type { ServerConnection } from '../../functions/mcp/sessions.ts'

/** What somebody who has connected a server without a sign-in has of it. */
export function aServerConnection(url: string, about: Partial<ServerConnection> = {}): ServerConnection {
  const { of = { mcpId: crypto.randomUUID(), name: 'Odd' } } = about
  return {
    sub: 'ann',
    of,
    url,
    version: 'one',
    owner: 'odd',
    readOnlyTools: new Set(),
    access: () => Promise.resolve({ version: 'open', headers: {} }),
    gone: (cause) => new GrantGone(of, { cause }),
    ...about,
  }
}
