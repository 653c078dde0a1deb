import { lazyComponent } from '../../../components/lazy-component.tsx'

/* Parts that only some messages have: loaded when the page is idle, or with the first message that needs them. */

const loadTools = () => import('../tools/tool-call-list.tsx')

const files = lazyComponent(
  () => import('../attachments/message-files.tsx').then((module) => module.MessageFiles),
  <div className="h-14" />,
)
const approvalCards = lazyComponent(
  () => import('../approvals/approval-cards.tsx').then((module) => module.ApprovalCards),
  <div className="h-40" />,
)
const toolCallList = lazyComponent(
  () => loadTools().then((module) => module.ToolCallList),
  <div className="h-8" />,
)
const liveToolCallList = lazyComponent(
  () => loadTools().then((module) => module.LiveToolCallList),
  <div className="h-8" />,
)

const reasoningLine = lazyComponent(
  () => import('../reasoning/reasoning-line.tsx').then((module) => module.ReasoningLine),
  <div className="h-6.5 max-sm:h-9" />,
)
const sourceList = lazyComponent(
  () => import('../reasoning/source-list.tsx').then((module) => module.SourceList),
  <div className="h-5" />,
)

export const MessageFiles = files.Component
export const ApprovalCards = approvalCards.Component
export const ToolCallList = toolCallList.Component
export const LiveToolCallList = liveToolCallList.Component
export const ReasoningLine = reasoningLine.Component
export const SourceList = sourceList.Component

/** Loads the code of all parts. */
export async function preloadMessageParts(): Promise<void> {
  await Promise.all([
    files.preload(),
    toolCallList.preload(),
    liveToolCallList.preload(),
    approvalCards.preload(),
    reasoningLine.preload(),
    sourceList.preload(),
  ])
}
