import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { downloadBlob } from '../../../lib/download.ts'
import { useEscape } from '../../../lib/escape.ts'
import { findComposerToFocus } from '../../../lib/focus-targets.ts'
import { useBackCloses } from '../../../lib/use-back-closes.ts'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import type { PreviewStorage } from '../apps/frame-document.ts'
import { CopyButton } from '../markdown/copy-button.tsx'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { addReplyToArtifacts, findVersions, type PreviewVersion, type Artifact } from './find-versions.ts'
import { PreviewContent, PreviewQuestion } from './preview-content.tsx'
import type { OpenedPreview, PreviewKind, PreviewSource } from '../preview-context.ts'
import { getTitle, kindNames, toFile } from './preview-file.ts'
import { createBlockReader, readBlocks, type ReplyBlock } from './read-blocks.ts'

/** The messages in which the block and its versions are. */
interface ShownReplies {
  messages: readonly PreviewableMessage[]
  /** the beginning of the reply that is being written */
  streamingText: string
}

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
  const isWide = useMediaQuery('(min-width: 64rem)')
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
      <Toolbar {...preview} onClose={isWide ? close : undefined} />
      <div className="min-h-0 flex-1">
        {preview.isCode ? (
          <pre
            dir="ltr"
            translate="no"
            className="h-full overflow-auto p-4 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
          >
            {preview.shown.code}
          </pre>
        ) : preview.isQuestion ? (
          <PreviewQuestion onRun={preview.run} />
        ) : (
          <PreviewContent
            key={isShownLive(preview.shown.kind) ? undefined : preview.shown.content}
            kind={preview.shown.kind}
            code={preview.shown.content}
            isComplete={preview.shown.isComplete}
            missing={preview.shown.missing}
            storage={storage}
          />
        )}
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

/** Moves the focus into the panel, before a dialog around it moves it to its first button. */
function FocusOnMount() {
  const node = useRef<HTMLSpanElement>(null)
  useEffect(() => node.current?.closest('section')?.focus({ preventScroll: true }), [])
  return <span ref={node} hidden />
}

/** Whether a preview is shown while its code is being written. One that runs is started when its code is complete. */
const isShownLive = (kind: PreviewKind) => kind === 'csv' || kind === 'markdown'

/** Whether a preview runs code of the reply. */
const isRunning = (kind: PreviewKind) => kind === 'html' || kind === 'svg'

/** A message that may have code blocks. */
export interface PreviewableMessage {
  role: 'user' | 'assistant' | 'system'
  content: string
  /** says what the model had read for it; absent in messages that were recovered, imported or shared */
  usage?: { readOthers?: boolean | undefined } | undefined
}

/** The blocks of finished messages, so that each is read once. */
const storedBlocks = new WeakMap<PreviewableMessage, readonly ReplyBlock[]>()

function findStoredBlocks(message: PreviewableMessage): readonly ReplyBlock[] {
  const blocks = storedBlocks.get(message) ?? readBlocks(message.content)
  storedBlocks.set(message, blocks)
  return blocks
}

/** The user's message before a reply; empty without one. */
const findRequest = (messages: readonly PreviewableMessage[], index: number) =>
  messages.slice(0, index).findLast(({ role }) => role === 'user')?.content ?? ''

const readArtifacts = (messages: readonly PreviewableMessage[]): readonly Artifact[] =>
  messages.reduce<readonly Artifact[]>((artifacts, message, index) => {
    if (message.role !== 'assistant') return artifacts
    const blocks = findStoredBlocks(message)
    // without usage it is not known, so the model may have read text of others
    const readOthers = message.usage === undefined || message.usage.readOthers === true
    return blocks.length === 0
      ? artifacts
      : addReplyToArtifacts(artifacts, { blocks, request: findRequest(messages, index), readOthers })
  }, [])

/** The versions of a block in all replies, and the one that is shown: the newest, unless the user has chosen another. */
function usePreview({ messages, streamingText }: ShownReplies, source: PreviewSource) {
  const text = useDeferredValue(streamingText)
  const [readStreaming] = useState(createBlockReader)
  const stored = useMemo(() => readArtifacts(messages), [messages])
  const versions = useMemo(() => {
    const blocks = text === '' ? [] : readStreaming(text)
    const request = findRequest(messages, messages.length)
    const artifacts =
      blocks.length === 0 ? stored : addReplyToArtifacts(stored, { blocks, request, isStreaming: true })
    return findVersions(artifacts, source)
  }, [messages, stored, text, readStreaming, source])
  const last = versions.length - 1
  const [opened] = useState(() =>
    versions.findLastIndex(({ code }) => code.trimEnd() === source.code.trimEnd()),
  )
  const [chosen, setChosen] = useState(opened < 0 || opened === last ? undefined : opened)
  // what the model has read for a reply is known at its end: until then its version does not run
  const isShowable = ({ kind, isComplete, readOthers }: PreviewVersion) =>
    isShownLive(kind) || (isComplete && (!isRunning(kind) || readOthers !== undefined))
  /** the versions that the user has started, by opening them or by the button in the panel */
  const [started, setStarted] = useState<readonly string[]>([
    (versions[opened]?.content ?? source.code).trimEnd(),
  ])
  const newest = Math.max(versions.findLastIndex(isShowable), 0)
  const index = Math.min(chosen ?? newest, last)
  const version = versions[index] ?? { ...source, content: source.code, missing: [], isComplete: true }
  const content = version.content.trimEnd()
  return {
    shown: version,
    index,
    count: versions.length,
    isWriting: versions[last]?.isComplete === false,
    /** whether only the code can be shown, because no version is ready */
    isCode: !isShowable(version) && !started.includes(content),
    /** whether the user is asked before it runs */
    isQuestion: isRunning(version.kind) && version.readOthers === true && !started.includes(content),
    run: () => setStarted([...started, content]),
    choose: (next: number) => setChosen(next === last ? undefined : next),
  }
}

/** The title of the shown version, the buttons to step through the versions, and those for its code. */
function Toolbar({
  shown,
  index,
  count,
  isWriting,
  choose,
  onClose,
}: Omit<ReturnType<typeof usePreview>, 'isCode' | 'isQuestion' | 'run'> & {
  onClose: (() => void) | undefined
}) {
  const title = useMemo(() => getTitle(shown), [shown])
  const kind = kindNames[shown.kind]
  return (
    <header className="flex min-h-(--height-topbar) shrink-0 flex-wrap items-center gap-x-1 border-b border-line py-1 pe-2 ps-5">
      {title !== undefined && (
        <p dir="auto" className="me-1 max-w-[60%] truncate font-semibold">
          {revealHiddenCharacters(title)}
        </p>
      )}
      <h2 className={title === undefined ? 'font-semibold' : 'text-sm text-ink-muted'}>{kind}</h2>
      <p role="status" className="ms-2 min-w-0 flex-1 truncate text-sm text-ink-muted">
        {isWriting && t`A version is being written…`}
      </p>
      <div className="ms-auto flex items-center gap-x-1">
        {count > 1 && (
          <div className="flex items-center text-sm text-ink-muted">
            <IconButton
              size="sm"
              label={t`Earlier version`}
              icon={<ChevronLeft size={16} />}
              disabled={index === 0}
              onClick={() => choose(index - 1)}
            />
            <span role="status">{t`Version ${{ number: index + 1 }} of ${count}`}</span>
            <IconButton
              size="sm"
              label={t`Later version`}
              icon={<ChevronRight size={16} />}
              disabled={index === count - 1}
              onClick={() => choose(index + 1)}
            />
          </div>
        )}
        <CopyButton label={t`Copy code`} text={shown.content} />
        <IconButton
          size="sm"
          label={t`Download`}
          icon={<Download size={16} />}
          onClick={() => {
            const { blob, name } = toFile(shown)
            downloadBlob(blob, name)
          }}
        />
        {onClose && (
          <IconButton size="sm" label={t`Close preview`} icon={<X size={16} />} onClick={onClose} />
        )}
      </div>
    </header>
  )
}
