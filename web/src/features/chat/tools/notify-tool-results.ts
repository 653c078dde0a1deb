import { showToast } from '../../../components/ui/toast.ts'
import type { LiveToolCall } from './live-tool-calls.ts'
import { isLiveMemoryTool } from './memory-calls.ts'
import { formatToolName } from './tool-summary.ts'
import * as texts from './texts.ts'

/** Shows a toast for the tool calls of a reply. A denied call is not a failure. */
export function notifyToolResults(tools: readonly LiveToolCall[]): void {
  const failed = tools.filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    return void showToast('error', texts.toolsFailed, {
      description: texts.failedTools(formatToolNames(failed)),
    })
  // a change of memories has its own line in the reply
  const done = tools.filter((tool) => tool.status === 'done' && !isLiveMemoryTool(tool))
  if (done.length > 0)
    showToast('success', texts.toolsExecuted, { description: texts.usedTools(formatToolNames(done)) })
}

function formatToolNames(tools: readonly LiveToolCall[]): string {
  const names = tools.map(({ name, activity }) =>
    [activity?.integration, formatToolName(name, activity?.title)]
      .filter((part) => part !== undefined)
      .join(' · '),
  )
  return [...new Set(names)].join(', ')
}
