import { success } from '#shared/contracts/success.ts'
import { allowedList, ledgerPage, ledgerQuery, toolList } from '#shared/contracts/tools.ts'

/** What the routes of the function 'tools' take and answer. */
export const toolsContracts = {
  'tools.list': { response: toolList },
  'tools.ledger': { query: ledgerQuery, response: ledgerPage },
  'tools.clearLedger': { response: success },
  'tools.allowed': { response: allowedList },
  'tools.revoke': { response: success },
} as const
