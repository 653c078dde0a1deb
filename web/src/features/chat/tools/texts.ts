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
