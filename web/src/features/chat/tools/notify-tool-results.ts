import { showToast } from '../../../components/ui/toast.ts'
import type { ShownTool } from './live-tool-calls.ts'
import { nameOf } from './tool-summary.ts'

/** ERR-12, ERR-13: what came of the calls of a reply. What the user denied is no failure. */
export function toastTools(tools: readonly ShownTool[]): void {
  const failed = tools.filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    return void showToast('error', 'Some Tools Failed', { description: `Failed: ${namesOf(failed)}` })
  const done = tools.filter(({ status }) => status === 'done')
  if (done.length > 0)
    showToast('success', 'Tools Executed Successfully', { description: `Used: ${namesOf(done)}` })
}

function namesOf(tools: readonly ShownTool[]): string {
  const names = tools.map(({ name, activity }) =>
    [activity?.integration, nameOf(name, activity?.title)].filter((part) => part !== undefined).join(' · '),
  )
  return [...new Set(names)].join(', ')
}
