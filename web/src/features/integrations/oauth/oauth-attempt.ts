import type { Connection } from '#shared/contracts/integrations.ts'
import type { Environment } from '#shared/contracts/connection-kinds.ts'
import { readStoredJson, removeStored, listStoredKeys, writeStored } from '../../../lib/storage.ts'

/** An OAuth flow started in this browser, by integration id; removed when it ends. */
export interface OAuthAttempt {
  mcpId: string
  clientId: string
  environment: Environment
  /** milliseconds since the epoch, by this clock: compared with other attempts only */
  timestamp: number
  /** when the integration was last connected before the flow, by the server's clock; absent if it was not */
  connectedAt?: string | undefined
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

const redeemedKey = 'oauth_redeemed'
/** More addresses than anybody opens again. */
const maxRedeemed = 10

function loadRedeemed(): [state: string, mcpId: string][] {
  const stored = readStoredJson('local', redeemedKey)
  return Array.isArray(stored)
    ? stored.filter(
        (one): one is [string, string] =>
          Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'),
      )
    : []
}

/** Remembers what was connected with a state, which is of no other use any more. */
export function rememberRedeemed(state: string, mcpId: string): void {
  const newest: [string, string][] = [[state, mcpId], ...loadRedeemed()]
  writeStored('local', redeemedKey, JSON.stringify(newest.slice(0, maxRedeemed)))
}

/** The integration that this browser has connected with a state, if it is one of the last. */
export const findRedeemed = (state: string): string | undefined =>
  loadRedeemed().find(([redeemed]) => redeemed === state)?.[1]

/** Whether a connection was made after the flow started. This clock is not compared with the server's. */
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
