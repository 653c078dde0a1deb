import type { Integration } from '#shared/contracts/integrations.ts'
import type { Environment } from '#shared/contracts/registry.ts'

/** OAUTH-05: what this browser remembers of a flow, by tool id; removed at its end (DEC-087). */
export interface OAuthAttempt {
  mcpId: string
  clientId: string
  environment: Environment
  /** milliseconds since 1970 */
  timestamp: number
}

const prefix = 'oauth_state_'

export function rememberAttempt(attempt: OAuthAttempt): void {
  try {
    localStorage.setItem(prefix + attempt.mcpId, JSON.stringify(attempt))
  } catch {
    // the flow works without: the server knows the state
  }
}

export function forgetAttempt(mcpId: string): void {
  try {
    localStorage.removeItem(prefix + mcpId)
  } catch {
    // what cannot be read was not kept
  }
}

/** The flow that was begun last, if there is one. */
export function latestAttempt(): OAuthAttempt | undefined {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => readAttempt(localStorage.getItem(key)))
      .filter((attempt) => attempt !== undefined)
      .toSorted((a, b) => b.timestamp - a.timestamp)[0]
  } catch {
    return undefined
  }
}

/** How far this clock and the server's may be apart. */
const clockToleranceMs = 120_000

/** Whether a stored connection was made by a flow that began then (DEC-089, DEC-093). */
export function connectedSince(row: Integration | undefined, beganMs: number): row is Integration {
  return row?.status === 'connected' && Date.parse(row.updated_at) >= beganMs - clockToleranceMs
}

function readAttempt(text: string | null): OAuthAttempt | undefined {
  const value: unknown = JSON.parse(text ?? 'null')
  if (typeof value !== 'object' || value === null) return undefined
  const { mcpId, clientId, environment, timestamp } = value as Record<string, unknown>
  if (typeof mcpId !== 'string' || typeof timestamp !== 'number') return undefined
  return {
    mcpId,
    clientId: typeof clientId === 'string' ? clientId : '',
    environment: environment === 'sandbox' ? 'sandbox' : 'production',
    timestamp,
  }
}
