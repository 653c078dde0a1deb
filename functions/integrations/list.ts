import type { Integration } from '#shared/contracts/integrations.ts'
import { isFaultyName } from '#shared/faulty-name.ts'
import { runsLocally } from '#shared/registry-search.ts'
import { logger } from '../platform/telemetry/logger.ts'
import type { CredentialRow } from './credential-repository.ts'
import { forgetCredential, removeCredential } from './disconnect.ts'
import type { IntegrationRow } from './integration-repository.ts'
import { loadReconnectReason } from './connection.ts'
import { isDue, refresh } from './oauth/refresh.ts'
import type { Stores } from './deps.ts'
import { entryIdOf } from './target.ts'
import { integrationView } from './view.ts'

/** DATA-29: the caller's integrations; tokens at their end are renewed on the way (DEC-050), and what fails there is logged. */
export async function listIntegrations(stores: Stores, sub: string): Promise<Integration[]> {
  const read = () => Promise.all([stores.integrations.list(sub), stores.credentials.list(sub)])
  let [rows, credentials] = await read()
  const reasons = new Map(
    await Promise.all(
      rows.map(async (row) => {
        const reason = await loadReconnectReason(stores, row, credentials.get(row.mcp_id))
        return [row.mcp_id, reason] as const
      }),
    ),
  )
  const due = rows.filter(({ mcp_id, status }) => {
    const credential = credentials.get(mcp_id)
    return status === 'connected' && credential && !reasons.get(mcp_id) && isDue(credential, Date.now())
  })
  if (due.length > 0) {
    await Promise.all(
      due.map(({ mcp_id }) =>
        refresh(stores, sub, mcp_id, credentials.get(mcp_id)?.version).catch((error: unknown) =>
          logger.warn('tokens were not renewed', { error }),
        ),
      ),
    )
    ;[rows, credentials] = await read()
  }
  const now = new Date()
  const views: Integration[] = []
  for (const row of rows) {
    const credential = credentials.get(row.mcp_id)
    if (!hasCredentialStatus(row, credential) || (await isFaulty(stores, row))) continue
    const view = integrationView(sub, row, credential, now, reasons.get(row.mcp_id))
    if (view) views.push(view)
  }
  return views.sort((a, b) => b.connected_at.localeCompare(a.connected_at))
}

/** INT-60, DEC-055: only a connected row that needs a credential, has none, and whose token nobody vouches for is dropped. */
function hasCredentialStatus(row: IntegrationRow, credential: CredentialRow | undefined): boolean {
  return !(
    row.status === 'connected' &&
    row.auth_type !== 'none' &&
    !credential &&
    row.token_status === 'unknown'
  )
}

/**
 * Rows that lack something, or whose name was a try, though never one of an entry that exists; and rows of servers that run on
 * people's own computers, which could be connected once and were never of any use.
 */
async function isFaulty({ registry }: Pick<Stores, 'registry'>, row: IntegrationRow): Promise<boolean> {
  if (row.mcp_name === undefined || row.connected_at === undefined) return true
  const entry = await registry.find(entryIdOf(row.mcp_id))
  return entry ? runsLocally(entry) : isFaultyName(row.mcp_name)
}

/** A connection that is being made holds its credential before its row, for a moment. */
const makingMs = 600_000

/**
 * INT-62, INT-63, DEC-002: deletes the caller's faulty rows with what is stored for them; and DEC-086 credentials and
 * typed values that a connection or its end, broken off, left behind.
 * @returns the ids of the rows
 */
export async function cleanUp(stores: Stores, sub: string): Promise<string[]> {
  const deleted: string[] = []
  for (const row of await stores.integrations.list(sub)) {
    if (!(await isFaulty(stores, row))) continue
    await forgetCredential(stores, sub, row)
    await stores.integrations.remove(sub, row.mcp_id)
    deleted.push(row.mcp_id)
  }
  const [rows, credentials] = await Promise.all([stores.integrations.list(sub), stores.credentials.list(sub)])
  const kept = new Map(rows.map((row) => [row.mcp_id, row]))
  for (const [mcpId, credential] of credentials) {
    const row = kept.get(mcpId)
    if (row?.status === 'connected' || Date.now() - Date.parse(credential.updated_at) < makingMs) continue
    if (row) await forgetCredential(stores, sub, row)
    else await removeCredential(stores, sub, mcpId, credential)
  }
  await sweepVault(stores, sub)
  return deleted
}

async function sweepVault({ credentials, tools, vault }: Stores, sub: string): Promise<void> {
  const before = new Date(Date.now() - makingMs)
  const rows = [...(await credentials.list(sub)).values(), ...(await tools.all(sub))]
  const named = rows.flatMap(({ secret_name }) => secret_name ?? [])
  await vault.sweep(sub, named, before)
}
