import type { Connection } from '#shared/contracts/integrations.ts'
import type { Environment } from '#shared/contracts/registry.ts'
import { readStoredJson, removeStored, listStoredKeys, writeStored } from '../../../lib/storage.ts'

/** An OAuth flow started in this browser, by integration id; removed when it ends. */
export interface OAuthAttempt {
  mcpId: string
  clientId: string
  environment: Environment
  /** milliseconds since the epoch */
  timestamp: number
}

const prefix = 'oauth_state_'

/** Stores the attempt, so that the callback page finds it if a response is lost. */
export function saveAttempt(attempt: OAuthAttempt): void {
  // the flow works without it: the server knows the state
  writeStored('local', prefix + attempt.mcpId, JSON.stringify(attempt))
}

/** Removes the attempt of a flow. @param startedAtMs the attempt of a flow that started later is kept */
export function removeAttempt(mcpId: string, startedAtMs = Infinity): void {
  const stored = parseAttempt(readStoredJson('local', prefix + mcpId))
  if (stored === undefined || stored.timestamp <= startedAtMs) removeStored('local', prefix + mcpId)
}

/** Loads the latest attempt, if there is one. */
export function loadLatestAttempt(): OAuthAttempt | undefined {
  return listStoredKeys('local', prefix)
    .map((key) => parseAttempt(readStoredJson('local', key)))
    .filter((attempt) => attempt !== undefined)
    .toSorted((a, b) => b.timestamp - a.timestamp)[0]
}

/** Maximum difference between this clock and the server's. */
const clockToleranceMs = 120_000

/** Whether a connection was made after the flow started. */
export function isConnectedSince(
  connection: Connection | undefined,
  startedAtMs: number,
): connection is Connection {
  return (
    connection?.status === 'connected' && Date.parse(connection.updated_at) >= startedAtMs - clockToleranceMs
  )
}

function parseAttempt(value: unknown): OAuthAttempt | undefined {
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
