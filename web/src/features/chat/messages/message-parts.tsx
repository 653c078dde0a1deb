import { lazyComponent } from '../../../components/lazy-component.tsx'

/* Parts that only some messages have. Their code is loaded when the page is idle, or with the first message that needs them. */

const loadTools = () => import('../tools/tool-call-list.tsx')
const loadFiles = () => import('../attachments/message-files.tsx')

export const MessageFiles = lazyComponent(loadFiles, 'MessageFiles', <div className="h-14" />)
/** Which documents the model was given only a part of. */
export const PartFiles = lazyComponent(loadFiles, 'PartFiles', <div className="h-5" />)
/** The approval requests of a waiting reply. */
export const ApprovalCards = lazyComponent(
  () => import('../approvals/approval-cards.tsx'),
  'ApprovalCards',
  <div className="h-40" />,
)
export const ToolCallList = lazyComponent(loadTools, 'ToolCallList', <div className="h-8" />)
/** The tool calls of a streaming reply. */
export const LiveToolCallList = lazyComponent(loadTools, 'LiveToolCallList', <div className="h-8" />)

/** The reasoning of the model. */
export const ReasoningLine = lazyComponent(
  () => import('../reasoning/reasoning-line.tsx'),
  'ReasoningLine',
  <div className="h-6.5 max-sm:h-9" />,
)
/** The pages that a reply cites. */
export const SourceList = lazyComponent(
  () => import('../reasoning/source-list.tsx'),
  'SourceList',
  <div className="h-5" />,
)

/** Loads the code of all parts ahead. Rejects if one of them cannot be loaded. */
export async function preloadMessageParts(): Promise<void> {
  await Promise.all([
    MessageFiles.preload(),
    ToolCallList.preload(),
    LiveToolCallList.preload(),
    ApprovalCards.preload(),
    ReasoningLine.preload(),
    SourceList.preload(),
    PartFiles.preload(),
  ])
}
