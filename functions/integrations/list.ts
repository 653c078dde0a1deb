import type { Connection } from '#shared/contracts/integrations.ts'
import { isPlaceholderName } from './placeholder-name.ts'
import { runsLocally } from '#shared/registry-search.ts'
import { logger } from '../platform/telemetry/logger.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import { revokeAndDeleteCredential } from './credentials/revoke.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import { refresh } from './credentials/refresh.ts'
import type { IntegrationDeps } from './deps.ts'
import { isRefreshDue } from './store/token-status.ts'
import { getConnectionVersion, loadReconnectReason, toEntryId } from './store/connection.ts'
import { toConnectionView } from './view.ts'

/** Lists the user's connections. Refreshes tokens that are about to expire and logs failures. */
export async function listConnections(deps: IntegrationDeps, sub: string): Promise<Connection[]> {
  const loadRows = () => Promise.all([deps.integrations.list(sub), deps.credentials.list(sub)])
  let [rows, credentials] = await loadRows()
  const reasons = new Map(
    await Promise.all(
      rows.map(async (row) => {
        const reason = await loadReconnectReason(deps, row, credentials.get(row.mcp_id))
        return [row.mcp_id, reason] as const
      }),
    ),
  )
  const due = rows.flatMap(({ mcp_id, status }) => {
    const credential = credentials.get(mcp_id)
    if (status !== 'connected' || !credential || reasons.get(mcp_id)) return []
    return isRefreshDue(credential, Date.now()) ? [{ mcp_id, version: credential.version }] : []
  })
  if (due.length > 0) {
    await Promise.all(
      due.map(({ mcp_id, version }) =>
        refresh(deps, sub, mcp_id, version).catch((error: unknown) =>
          logger.warn('token refresh failed', { error }),
        ),
      ),
    )
    ;[rows, credentials] = await loadRows()
  }
  const isRejected = await deps.toolLists.findRejected(sub)
  const now = new Date()
  const views: Connection[] = []
  for (const row of rows) {
    const credential = credentials.get(row.mcp_id)
    if (!hasKnownStatus(row, credential) || (await isFaulty(deps, row))) continue
    const rejected = isRejected(row.mcp_id, getConnectionVersion(row, credential))
    const view = toConnectionView(sub, row, credential, now, reasons.get(row.mcp_id), rejected)
    if (view) views.push(view)
  }
  return views.sort((a, b) => b.connected_at.localeCompare(a.connected_at))
}

/** False only for a connected row that needs a credential but has none, and whose token status is unknown. */
function hasKnownStatus(row: ConnectionRow, credential: CredentialRow | undefined): boolean {
  return !(
    row.status === 'connected' &&
    row.auth_type !== 'none' &&
    !credential &&
    row.token_status === 'unknown'
  )
}

/**
 * Whether a row is incomplete, has a placeholder name without a catalogue entry, or belongs to a server that runs on the user's computer
 * by now.
 */
async function isFaulty(
  { registry }: Pick<IntegrationDeps, 'registry'>,
  row: ConnectionRow,
): Promise<boolean> {
  if (row.mcp_name === undefined || row.connected_at === undefined) return true
  const entry = await registry.find(toEntryId(row.mcp_id))
  return entry ? runsLocally(entry) : isPlaceholderName(row.mcp_name)
}

/** While a connection is being made, its credential exists before its row. */
const connectingMs = 600_000

/**
 * Deletes the user's faulty rows with their credentials, and credentials and secrets that an interrupted connect or disconnect left.
 * @returns the ids of the deleted rows
 */
export async function cleanUp(deps: IntegrationDeps, sub: string): Promise<string[]> {
  const deleted: string[] = []
  for (const row of await deps.integrations.list(sub)) {
    if (!(await isFaulty(deps, row))) continue
    const { mcp_id: mcpId } = row
    const credential = await deps.credentials.find(sub, mcpId)
    if (credential) await revokeAndDeleteCredential(deps, sub, { mcpId, row, credential })
    await deps.integrations.remove(sub, row.mcp_id)
    deleted.push(row.mcp_id)
  }
  const [rows, credentials] = await Promise.all([deps.integrations.list(sub), deps.credentials.list(sub)])
  const rowsById = new Map(rows.map((row) => [row.mcp_id, row]))
  for (const [mcpId, credential] of credentials) {
    const row = rowsById.get(mcpId)
    if (row?.status === 'connected' || Date.now() - Date.parse(credential.updated_at) < connectingMs) continue
    await revokeAndDeleteCredential(deps, sub, { mcpId, row, credential })
  }
  await sweepVault(deps, sub)
  return deleted
}

async function sweepVault({ credentials, customTools, vault }: IntegrationDeps, sub: string): Promise<void> {
  const before = new Date(Date.now() - connectingMs)
  const rows = [...(await credentials.list(sub)).values(), ...(await customTools.listAll(sub))]
  const namesInUse = rows.flatMap(({ secret_name }) => secret_name ?? [])
  await vault.sweep(sub, namesInUse, before)
}
