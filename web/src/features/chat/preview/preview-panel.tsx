import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useEffect, useRef, type RefObject } from 'react'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { findComposerToFocus } from '../../../lib/input/focus-targets.ts'
import { useEscape } from '../../../lib/input/escape.ts'
import { useBackCloses } from '../../../lib/browser/use-back-closes.ts'
import { useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import type { PreviewStorage } from '../apps/frame-document.ts'
import type { OpenedPreview } from '../preview-context.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { PreviewContent, PreviewQuestion } from './preview-content.tsx'
import { PreviewToolbar } from './preview-toolbar.tsx'
import { isShownLive, usePreview, type Preview, type ShownReplies } from './use-preview.ts'

/** Half of a narrower window would be too little for a preview, and for the messages beside it. */
const wideQuery = '(min-width: 64rem)'

interface PreviewPanelProps extends ShownReplies, OpenedPreview {
  /** whether it sticks to the window, for pages that scroll as a whole */
  isSticky?: boolean
}

/** The preview panel of a conversation, whose versions follow the reply that is being written. */
export function ConversationPreview({
  conversation,
  ...opened
}: OpenedPreview & { conversation: Conversation }) {
  const messages = useConversationState(conversation, (state) => state.messages)
  const streamingText = useConversationState(conversation, (state) => state.streamingText)
  return <PreviewPanel messages={messages} streamingText={streamingText} {...opened} />
}

/** The preview of a code block: beside the messages, or in a dialog if there is no room. */
export function PreviewPanel({ source, opener, onClose, isSticky = false, ...replies }: PreviewPanelProps) {
  const isWide = useMediaQuery(wideQuery)
  const region = useRef<HTMLElement>(null)
  const preview = usePreview(replies, source)
  const storage = useRef<PreviewStorage>({})
  const findFocusTarget = () => (opener.isConnected ? opener : findComposerToFocus())
  const close = () => {
    onClose()
    findFocusTarget()?.focus({ preventScroll: true })
  }
  useBackCloses(!isWide, onClose)
  useEscape('card', isWide ? close : undefined, (target) => {
    return target instanceof Node && region.current?.contains(target) === true
  })
  const panel = (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t`Preview`}
      className="flex h-full min-h-0 flex-col text-ui outline-none"
    >
      <FocusOnMount />
      <PreviewToolbar {...preview} onClose={isWide ? close : undefined} />
      <div className="min-h-0 flex-1">
        <ShownVersion {...preview} storage={storage} />
      </div>
    </section>
  )
  if (isWide)
    return (
      <div
        className={clsx(
          'w-1/2 min-w-0 shrink-0 border-s border-line bg-surface-raised [--scroll-surface:var(--color-surface-raised)] print:hidden',
          isSticky ? 'sticky top-0 h-dvh' : 'h-full',
        )}
      >
        {panel}
      </div>
    )
  return (
    <Dialog
      open
      wide
      title={t`Preview`}
      onOpenChange={(isOpen) => isOpen || onClose()}
      findFocusTarget={findFocusTarget}
    >
      <div className="-m-6 h-[75dvh] [--scroll-surface:var(--color-surface-overlay)] max-sm:-m-5 max-sm:-my-4">
        {panel}
      </div>
    </Dialog>
  )
}

/** The chosen version: its code until it can be shown, the question whether to run it, or its preview. */
function ShownVersion({
  shown: { kind, code, content, isComplete, missing },
  isCode,
  isQuestion,
  run,
  storage,
}: Pick<Preview, 'shown' | 'isCode' | 'isQuestion' | 'run'> & { storage: RefObject<PreviewStorage> }) {
  if (isCode)
    return (
      <pre
        dir="ltr"
        translate="no"
        className="h-full overflow-auto p-4 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
      >
        {code}
      </pre>
    )
  if (isQuestion) return <PreviewQuestion onRun={run} />
  return (
    <PreviewContent
      key={isShownLive(kind) ? undefined : content}
      kind={kind}
      code={content}
      isComplete={isComplete}
      missing={missing}
      storage={storage}
    />
  )
}

/** Moves the focus into the panel, before a dialog around it moves it to its first button. */
function FocusOnMount() {
  const node = useRef<HTMLSpanElement>(null)
  useEffect(() => node.current?.closest('section')?.focus({ preventScroll: true }), [])
  return <span ref={node} hidden />
}
