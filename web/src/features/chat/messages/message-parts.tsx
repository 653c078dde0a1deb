import { deferred } from '../../../components/lazy-component.tsx'

/* What only some messages have: loaded when the page is idle, or with the first message that needs it. */

const loadTools = () => import('../tools/tool-call-list.tsx')

const files = deferred(
  () => import('../attachments/message-files.tsx').then((module) => module.MessageFiles),
  <div className="h-14" />,
)
const questions = deferred(
  () => import('../approvals/approval-cards.tsx').then((module) => module.QuestionCards),
  <div className="h-40" />,
)
const toolCalls = deferred(() => loadTools().then((module) => module.ToolCalls), <div className="h-8" />)
const toolLines = deferred(() => loadTools().then((module) => module.ToolLines), <div className="h-8" />)

export const MessageFiles = files.Deferred
export const QuestionCards = questions.Deferred
export const ToolCalls = toolCalls.Deferred
export const ToolLines = toolLines.Deferred

export async function preloadMessageParts(): Promise<void> {
  await Promise.all([files.preload(), toolCalls.preload(), toolLines.preload(), questions.preload()])
}
