import type { Integration } from '#shared/contracts/integrations.ts'
import type { Environment } from '#shared/contracts/registry.ts'
import { readStoredJson, removeStored, storedKeys, writeStored } from '../../../lib/storage.ts'

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
  // the flow works without: the server knows the state
  writeStored('local', prefix + attempt.mcpId, JSON.stringify(attempt))
}

export function forgetAttempt(mcpId: string): void {
  removeStored('local', prefix + mcpId)
}

/** The flow that was begun last, if there is one. */
export function latestAttempt(): OAuthAttempt | undefined {
  return storedKeys('local', prefix)
    .map((key) => readAttempt(readStoredJson('local', key)))
    .filter((attempt) => attempt !== undefined)
    .toSorted((a, b) => b.timestamp - a.timestamp)[0]
}

/** How far this clock and the server's may be apart. */
const clockToleranceMs = 120_000

/** Whether a stored connection was made by a flow that began then (DEC-089, DEC-093). */
export function connectedSince(row: Integration | undefined, beganMs: number): row is Integration {
  return row?.status === 'connected' && Date.parse(row.updated_at) >= beganMs - clockToleranceMs
}

function readAttempt(value: unknown): OAuthAttempt | undefined {
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
