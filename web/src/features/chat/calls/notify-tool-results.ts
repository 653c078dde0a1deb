import { t } from '@lingui/core/macro'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { formatServerText } from '../../../lib/text/hidden-characters.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { isLiveMemoryTool } from './memory-calls.ts'
import { formatToolName } from './tool-summary.ts'

/**
 * Shows at most one toast for the tool calls of a finished reply: it names those that failed, otherwise those that succeeded. Denied calls and
 * changes of memories that succeeded are not mentioned.
 */
export function notifyToolResults(calls: readonly ReplyCall[]): void {
  const failedCalls = calls.filter(({ status }) => status === 'failed')
  if (failedCalls.length > 0)
    return void showToast('warning', t`Some Tools Failed`, {
      description: t`Failed: ${{ names: formatToolNames(failedCalls) }}`,
    })
  // a change of memories has its own line in the reply
  const doneCalls = calls.filter((call) => call.status === 'done' && !isLiveMemoryTool(call))
  if (doneCalls.length > 0)
    showToast('success', t`Tools Executed Successfully`, {
      description: t`Used: ${{ names: formatToolNames(doneCalls) }}`,
    })
}

function formatToolNames(calls: readonly ReplyCall[]): string {
  const names = calls.map(({ name, activity }) =>
    [activity?.integration, formatToolName(name, activity?.title)]
      .filter((part) => part !== undefined)
      .map(formatServerText)
      .join(' · '),
  )
  return formatList(new Set(names))
}
