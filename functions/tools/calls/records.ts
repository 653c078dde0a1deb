import type { LedgerEntry } from '#shared/contracts/tools.ts'
import { maskSecrets } from '#shared/mask-secrets.ts'
import type { Coded } from '#shared/sentences/sentence.ts'
import { allowedToolRepository } from '../../integrations/store/allowed-tool-repository.ts'
import { connectionRepository } from '../../integrations/store/connection-repository.ts'
import { toStorableFields } from '../../platform/dynamodb/storable.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { toPlainNumbers } from '../../platform/exact-json.ts'
import { ledgerRepository } from './ledger-repository.ts'
import { fingerprintTool, type Tool } from './tool.ts'

// the chat loads this file, as one chunk, with the first call (ADR 0035); what calls servers is not needed for it

/** Maximum length of a call's arguments in the ledger. */
const maxLedgerCharacters = 20_000

const toStoredNames = ({
  name,
  title = name,
  integration,
}: Pick<Tool, 'name' | 'title' | 'integration'>) => ({
  tool: name,
  title,
  integration: integration?.name ?? null,
  mcp_id: integration?.mcpId ?? null,
})

/** What calls leave behind. */
export interface CallRecords {
  /** Always allows the tool, until its definition changes. */
  allow(sub: string, tool: Tool): Promise<void>
  /** Records a call in the user's ledger; a call that was made also counts as a use of its integration. @param isSaved false in a temporary chat */
  record(
    sub: string,
    call: {
      tool: Pick<Tool, 'name' | 'title' | 'integration' | 'isPrivate'>
      input: Record<string, unknown>
      success: boolean
      error?: string | undefined
      /** what `error` says */
      codes?: readonly Coded[] | undefined
      resultSize: number
      permission: 'reading' | 'approved' | 'always' | 'denied'
    },
    isSaved: boolean,
  ): Promise<void>
}

/** Stores which tools a user always allows, and writes their calls to the ledger. */
export const callRecords = (table: Table): CallRecords => ({
  async allow(sub, tool) {
    await allowedToolRepository(table).allow(sub, {
      id: fingerprintTool(tool),
      ...toStoredNames(tool),
      allowed_at: new Date().toISOString(),
    })
  },

  async record(sub, { tool, input, success, error, codes, resultSize, permission }, isSaved) {
    const at = new Date().toISOString()
    await Promise.all([
      ledgerRepository(table).add(sub, {
        id: `${at}-${crypto.randomUUID().slice(0, 8)}`,
        at,
        ...toStoredNames(tool),
        arguments: isSaved
          ? toStorableFields(
              maskSecrets(tool.isPrivate ? {} : toPlainNumbers(input)) as Record<string, unknown>,
              maxLedgerCharacters,
            )
          : null,
        success,
        error: error === undefined ? null : String(maskSecrets(error)),
        ...(codes && { codes: maskSecrets(codes) as LedgerEntry['codes'] }),
        result_size: resultSize,
        allowed: permission,
      }),
      tool.integration && permission !== 'denied'
        ? connectionRepository(table).countUse(sub, tool.integration.mcpId, at)
        : undefined,
    ])
  },
})
