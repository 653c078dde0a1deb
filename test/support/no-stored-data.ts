import type { DataCounts } from '#shared/contracts/account.ts'

/** What an account without data has stored. */
export const noStoredData: DataCounts = {
  conversations: 0,
  messages: 0,
  files: 0,
  integrations: 0,
  credentials: 0,
  custom_tools: 0,
  tool_calls: 0,
  memories: 0,
}
