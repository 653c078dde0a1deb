import { plural, t } from '@lingui/core/macro'
import type { ElicitedInput } from '#shared/contracts/elicitation.ts'

// notify-tool-results
export const toolsFailed = t`Some Tools Failed`
export const toolsExecuted = t`Tools Executed Successfully`
export const failedTools = (names: string) => t`Failed: ${names}`
export const usedTools = (names: string) => t`Used: ${names}`

// tool-call-list
export function usedCount(count: number, failed: number, denied: number): string {
  const used = plural(count, { one: 'Used # tool', other: 'Used # tools' })
  if (failed > 0 && denied > 0) return t`${used}, ${failed} failed, ${denied} denied`
  if (failed > 0) return t`${used}, ${failed} failed`
  return denied > 0 ? t`${used}, ${denied} denied` : used
}
export const succeeded = t`Succeeded`
export const failed = t`Failed`
export const denied = t`Denied`

// tool-details
export const toolArguments = t`Arguments`
export const noArguments = t({ message: 'None', context: 'arguments' })
export const result = t`Result`
export const error = t`Error`
const theServer = t`The server`
export function elicited(serverName: string, { action, host }: ElicitedInput): string {
  const server = serverName === '' ? theServer : serverName
  if (action === 'decline') return t`${server} asked, and you declined`
  if (action === 'cancel') return t`${server} asked, and you cancelled`
  return host === undefined
    ? t`${server} asked, and you sent`
    : t`${server} asked, and you said that you were done at ${host}`
}
export const callFailed = t`The call failed.`
export const done = t`Done`
export const nothingFound = t`Nothing found`
export const andMore = (count: number) => t`and ${count} more`

// result-extras, result-table
export const resultLinks = t`Links of tools`
export const rowsShown = (shown: number, total: number) => t`${shown} of ${total} rows`

// tool-summary
export const resultCount = (count: number) => plural(count, { one: '# result', other: `# results` })
export const failedOutcome = t`failed`

// memory-line
export const remembered = t`Remembered:`
export const alreadyRemembered = t`Already remembered:`
export const rememberedAndDeleted = t`Remembered, then deleted:`
export const forgotten = t`Forgotten:`
export const forgottenAndRestored = t`Forgotten, then restored:`
export const undo = t`Undo`
export const undoChange = (text: string) => t`Undo: ${text}`
export const memoryDeleted = t`Memory deleted`
export const memoryRestored = t`Memory restored`
export const notUndone = t`The memory was not changed`
