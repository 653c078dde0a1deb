import type { Connection } from '#shared/contracts/integrations.ts'
import type { Environment } from '#shared/contracts/connection-kinds.ts'
import { readStoredJson, removeStored, listStoredKeys, writeStored } from '../../../lib/browser/storage.ts'

/** An OAuth flow that this browser has started and that has not ended. Local storage has the latest one of each integration. */
export interface OAuthAttempt {
  mcpId: string
  /** as `environment`, a record of what was requested; the callback page needs neither */
  clientId: string
  environment: Environment
  /** when it started, in milliseconds since 1970, by the clock of this device: to be compared with other attempts only */
  timestamp: number
  /** when the integration was last connected before the flow, by the server's clock; absent if it was not */
  connectedAt?: string | undefined
}

const prefix = 'oauth_state_'

/** Stores the attempt, so that the callback page finds it if a response is lost. Does nothing if storage is full or blocked. */
export function saveAttempt(attempt: OAuthAttempt): void {
  writeStored('local', prefix + attempt.mcpId, JSON.stringify(attempt))
}

/** Removes the attempt of an integration. @param startedAtMs by the clock of this device: an attempt that started later stays */
export function removeAttempt(mcpId: string, startedAtMs = Infinity): void {
  const stored = parseAttempt(readStoredJson('local', prefix + mcpId))
  if (stored === undefined || stored.timestamp <= startedAtMs) removeStored('local', prefix + mcpId)
}

/** Loads the attempt that started last, of any integration. */
export function loadLatestAttempt(): OAuthAttempt | undefined {
  return listStoredKeys('local', prefix)
    .map((key) => parseAttempt(readStoredJson('local', key)))
    .filter((attempt) => attempt !== undefined)
    .toSorted((a, b) => b.timestamp - a.timestamp)[0]
}

/**
 * Whether a connection was made after the flow started. Only times of the server are compared: the clock of this device may differ.
 * @param connectedAtBefore `connectedAt` of the attempt
 */
export function isConnectedSince(
  connection: Connection | undefined,
  connectedAtBefore: string | undefined,
): connection is Connection {
  return connection?.status === 'connected' && connection.connected_at !== connectedAtBefore
}

function parseAttempt(value: unknown): OAuthAttempt | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { mcpId, clientId, environment, timestamp, connectedAt } = value as Record<string, unknown>
  if (typeof mcpId !== 'string' || typeof timestamp !== 'number') return undefined
  return {
    mcpId,
    clientId: typeof clientId === 'string' ? clientId : '',
    environment: environment === 'sandbox' ? 'sandbox' : 'production',
    timestamp,
    ...(typeof connectedAt === 'string' && { connectedAt }),
  }
}
