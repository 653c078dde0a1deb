import { lazyComponent } from '../../../components/lazy-component.tsx'

/* What only some messages have: loaded when the page is idle, or with the first message that needs it. */

const loadTools = () => import('../tools/tool-call-list.tsx')

const files = lazyComponent(
  () => import('../attachments/message-files.tsx').then((module) => module.MessageFiles),
  <div className="h-14" />,
)
const questions = lazyComponent(
  () => import('../approvals/approval-cards.tsx').then((module) => module.QuestionCards),
  <div className="h-40" />,
)
const toolCalls = lazyComponent(() => loadTools().then((module) => module.ToolCalls), <div className="h-8" />)
const toolLines = lazyComponent(() => loadTools().then((module) => module.ToolLines), <div className="h-8" />)

export const MessageFiles = files.Component
export const QuestionCards = questions.Component
export const ToolCalls = toolCalls.Component
export const ToolLines = toolLines.Component

export async function preloadMessageParts(): Promise<void> {
  await Promise.all([files.preload(), toolCalls.preload(), toolLines.preload(), questions.preload()])
}
