import type { ElicitedInput } from '#shared/contracts/elicitation.ts'
import { plural } from '../../../lib/plural.ts'

// notify-tool-results
export const toolsFailed = 'Some Tools Failed'
export const toolsExecuted = 'Tools Executed Successfully'
export const failedTools = (names: string) => `Failed: ${names}`
export const usedTools = (names: string) => `Used: ${names}`

// tool-call-list
export const usedCount = (count: number, failed: number, denied: number) =>
  `Used ${count} tools${failed > 0 ? `, ${failed} failed` : ''}${denied > 0 ? `, ${denied} denied` : ''}`
export const succeeded = 'Succeeded'
export const failed = 'Failed'
export const denied = 'Denied'

// tool-details
export const toolArguments = 'Arguments'
export const noArguments = 'None'
export const result = 'Result'
export const error = 'Error'
export function elicited(server: string, { action, host }: ElicitedInput): string {
  const asked = `${server === '' ? 'The server' : server} asked`
  if (action === 'decline') return `${asked}, and you declined`
  if (action === 'cancel') return `${asked}, and you cancelled`
  return host === undefined
    ? `${asked}, and you sent`
    : `${asked}, and you said that you were done at ${host}`
}
export const callFailed = 'The call failed.'
export const done = 'Done'
export const nothingFound = 'Nothing found'
export const andMore = (count: number) => `and ${count} more`

// result-extras, result-table
export const resultLinks = 'Links of tools'
export const rowsShown = (shown: number, total: number) => `${shown} of ${total} rows`

// tool-summary
export const resultCount = (count: number) => plural(count, { one: '1 result', other: `${count} results` })
export const failedOutcome = 'failed'

// memory-line
export const remembered = 'Remembered:'
export const alreadyRemembered = 'Already remembered:'
export const rememberedAndDeleted = 'Remembered, then deleted:'
export const forgotten = 'Forgotten:'
export const forgottenAndRestored = 'Forgotten, then restored:'
export const undo = 'Undo'
export const undoChange = (text: string) => `Undo: ${text}`
export const memoryDeleted = 'Memory deleted'
export const memoryRestored = 'Memory restored'
export const notUndone = 'The memory was not changed'
