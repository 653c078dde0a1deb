import { ReconnectRequired } from '../../functions/providers/reconnect-required.ts'
import type { ServerConnection } from '../../functions/mcp/sessions.ts'

/** What somebody who has connected a server without a sign-in has of it. */
export function aServerConnection(url: string, about: Partial<ServerConnection> = {}): ServerConnection {
  const { owner: of = { mcpId: crypto.randomUUID(), name: 'Odd' } } = about
  return {
    sub: 'ann',
    owner: of,
    url,
    version: 'one',
    namePrefix: 'odd',
    readOnlyTools: new Set(),
    access: () => Promise.resolve({ version: 'open', headers: {} }),
    reconnectError: (cause) => new ReconnectRequired(of, { cause }),
    ...about,
  }
}
