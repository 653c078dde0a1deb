import { deferred } from '../../../components/lazy-component.tsx'

/* Parts that only some messages have: loaded when the page is idle, or with the first message that needs them. */

const loadTools = () => import('../tools/tool-call-list.tsx')

const files = deferred(
  () => import('../attachments/message-files.tsx').then((module) => module.MessageFiles),
  <div className="h-14" />,
)
const approvalCards = deferred(
  () => import('../approvals/approval-cards.tsx').then((module) => module.ApprovalCards),
  <div className="h-40" />,
)
const toolCallList = deferred(
  () => loadTools().then((module) => module.ToolCallList),
  <div className="h-8" />,
)
const liveToolCallList = deferred(
  () => loadTools().then((module) => module.LiveToolCallList),
  <div className="h-8" />,
)

export const MessageFiles = files.Deferred
export const ApprovalCards = approvalCards.Deferred
export const ToolCallList = toolCallList.Deferred
export const LiveToolCallList = liveToolCallList.Deferred

export async function preloadMessageParts(): Promise<void> {
  await Promise.all([
    files.preload(),
    toolCallList.preload(),
    liveToolCallList.preload(),
    approvalCards.preload(),
  ])
}
