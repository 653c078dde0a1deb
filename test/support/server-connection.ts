import { ReconnectRequired } from '../../functions/providers/reconnect-required.ts'
import type { ServerConnection } from '../../functions/mcp/sessions.ts'

/** The connection of a user to a server without authorization. */
export function aServerConnection(url: string, changes: Partial<ServerConnection> = {}): ServerConnection {
  const { integration = { mcpId: crypto.randomUUID(), name: 'Odd' } } = changes
  return {
    sub: 'ann',
    integration,
    url,
    version: 'one',
    namePrefix: 'odd',
    readOnlyTools: new Set(),
    access: () => Promise.resolve({ version: 'open', headers: {} }),
    reconnectError: (cause) => new ReconnectRequired(integration, { cause }),
    ...changes,
  }
}
