import { t } from '@lingui/core/macro'
import type { ElicitedInput } from '#shared/contracts/elicitation.ts'

// notify-tool-results

// tool-call-list

// tool-details
const theServer = t`The server`
export function elicited(serverName: string, { action, host }: ElicitedInput): string {
  const server = serverName === '' ? theServer : serverName
  if (action === 'decline') return t`${server} asked, and you declined`
  if (action === 'cancel') return t`${server} asked, and you cancelled`
  return host === undefined
    ? t`${server} asked, and you sent`
    : t`${server} asked, and you said that you were done at ${host}`
}

// result-extras, result-table

// tool-summary

// memory-line
