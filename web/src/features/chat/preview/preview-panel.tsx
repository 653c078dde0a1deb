import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { downloadBlob } from '../../../lib/download.ts'
import { useEscape } from '../../../lib/keys.ts'
import { findComposerToFocus } from '../../../lib/restore-focus.ts'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import type { PreviewStorage } from '../apps/frame-document.ts'
import { CopyButton } from '../markdown/copy-button.tsx'
import type { ChatMessage } from '../state/chat-message.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { findPreviewBlocks, findVersions, type PreviewVersion } from './find-versions.ts'
import { sanitizeCsv } from './parse-csv.ts'
import { PreviewContent, PreviewQuestion } from './preview-content.tsx'
import type { PreviewKind, PreviewSource } from './preview-context.ts'
import * as texts from './texts.ts'

interface PreviewPanelProps {
  conversation: Conversation
  source: PreviewSource
  /** the element that opened it gets the focus back */
  opener: HTMLElement
  onClose: () => void
}

/** What a code block describes or does: beside the chat, and as a sheet where there is no room for that. */
export function PreviewPanel({ conversation, source, opener, onClose }: PreviewPanelProps) {
  const isWide = useMediaQuery('(min-width: 64rem)')
  const region = useRef<HTMLElement>(null)
  const preview = usePreview(conversation, source)
  const storage = useRef<PreviewStorage>({})
  const findFocusTarget = () => (opener.isConnected ? opener : findComposerToFocus())
  const close = () => {
    onClose()
    findFocusTarget()?.focus({ preventScroll: true })
  }
  useEscape('card', isWide ? close : undefined, (target) => {
    return target instanceof Node && region.current?.contains(target) === true
  })
  const panel = (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={texts.preview}
      className="flex h-full min-h-0 flex-col text-ui outline-none"
    >
      <FocusOnMount />
      <Toolbar {...preview} onClose={isWide ? close : undefined} />
      <div className="min-h-0 flex-1">
        {preview.isCode ? (
          <pre
            dir="ltr"
            translate="no"
            className="h-full overflow-auto p-4 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {preview.shown.code}
          </pre>
        ) : preview.isQuestion ? (
          <PreviewQuestion onRun={preview.run} />
        ) : (
          <PreviewContent
            key={isShownLive(source.kind) ? undefined : preview.shown.code}
            kind={source.kind}
            code={preview.shown.code}
            storage={storage}
          />
        )}
      </div>
    </section>
  )
  if (isWide)
    return (
      <div className="h-full w-1/2 min-w-0 shrink-0 border-s border-line bg-surface-raised [--scroll-surface:var(--color-surface-raised)] print:hidden">
        {panel}
      </div>
    )
  return (
    <Dialog
      open
      wide
      title={texts.preview}
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

/** Whether a part of the code can be shown. What runs is started once it is complete. */
const isShownLive = (kind: PreviewKind) => kind === 'csv' || kind === 'markdown'

/** Whether it runs code of the reply. */
const isRunning = (kind: PreviewKind) => kind === 'html' || kind === 'svg'

/** Whether the model had read text of others for a reply. Where nothing says what it read, as in one that was recovered or imported, it may have. */
const hasReadOthers = ({ usage }: ChatMessage) => usage === undefined || usage.readOthers === true

/** The blocks of messages that do not change any more. */
const storedBlocks = new WeakMap<ChatMessage, PreviewVersion[]>()

function findStoredBlocks(message: ChatMessage): PreviewVersion[] {
  if (message.role !== 'assistant') return []
  const blocks =
    storedBlocks.get(message) ??
    findPreviewBlocks(message.content, false).map((block) => ({
      ...block,
      readOthers: hasReadOthers(message),
    }))
  storedBlocks.set(message, blocks)
  return blocks
}

/** The versions of the block in all replies, and which one is shown: the newest, until the user chooses another. */
function usePreview(conversation: Conversation, source: PreviewSource) {
  const messages = useConversationState(conversation, (state) => state.messages)
  const streamingText = useDeferredValue(useConversationState(conversation, (state) => state.streamingText))
  const stored = useMemo(() => messages.flatMap(findStoredBlocks), [messages])
  const versions = useMemo(
    () => findVersions([...stored, ...findPreviewBlocks(streamingText, true)], source),
    [stored, streamingText, source],
  )
  const last = versions.length - 1
  const [chosen, setChosen] = useState(() => {
    const index = versions.findIndex(({ code }) => code.trimEnd() === source.code.trimEnd())
    return index < 0 || index === last ? undefined : index
  })
  // what a reply has read is known at its end: until then its version does not run
  const isShowable = ({ isComplete, readOthers }: PreviewVersion) =>
    isShownLive(source.kind) || (isComplete && (!isRunning(source.kind) || readOthers !== undefined))
  /** what the user has started: by its button, or here */
  const [wanted, setWanted] = useState<readonly string[]>([source.code.trimEnd()])
  const newest = Math.max(versions.findLastIndex(isShowable), 0)
  const index = Math.min(chosen ?? newest, last)
  const shown = versions[index] ?? { ...source, isComplete: true }
  const code = shown.code.trimEnd()
  return {
    shown,
    index,
    count: versions.length,
    isWriting: versions[last]?.isComplete === false,
    /** there is no version yet that could be shown */
    isCode: !isShowable(shown) && !wanted.includes(code),
    /** it runs only if the user wants it */
    isQuestion: isRunning(source.kind) && shown.readOthers === true && !wanted.includes(code),
    run: () => setWanted([...wanted, code]),
    choose: (next: number) => setChosen(next === last ? undefined : next),
  }
}

const fileTypes: Record<PreviewKind, { extension: string; type: string }> = {
  html: { extension: 'html', type: 'text/html' },
  svg: { extension: 'svg', type: 'image/svg+xml' },
  mermaid: { extension: 'mmd', type: 'text/plain' },
  'vega-lite': { extension: 'json', type: 'application/json' },
  csv: { extension: 'csv', type: 'text/csv' },
  markdown: { extension: 'md', type: 'text/markdown' },
}

const toFile = ({ kind, code }: PreviewSource) => (kind === 'csv' ? sanitizeCsv(code) : code)

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
  const { extension, type } = fileTypes[shown.kind]
  return (
    <header className="flex min-h-(--height-topbar) shrink-0 flex-wrap items-center gap-x-1 border-b border-line py-1 pe-2 ps-5">
      <h2 className="font-semibold">{texts.kinds[shown.kind]}</h2>
      <p role="status" className="ms-2 min-w-0 flex-1 truncate text-sm text-ink-muted">
        {isWriting && texts.isWritten}
      </p>
      {count > 1 && (
        <div className="flex items-center text-sm text-ink-muted">
          <IconButton
            size="sm"
            label={texts.earlierVersion}
            icon={<ChevronLeft size={16} />}
            disabled={index === 0}
            onClick={() => choose(index - 1)}
          />
          <span role="status">{texts.version(index + 1, count)}</span>
          <IconButton
            size="sm"
            label={texts.laterVersion}
            icon={<ChevronRight size={16} />}
            disabled={index === count - 1}
            onClick={() => choose(index + 1)}
          />
        </div>
      )}
      <CopyButton label={texts.copyCode} text={shown.code} />
      <IconButton
        size="sm"
        label={texts.download}
        icon={<Download size={16} />}
        onClick={() => downloadBlob(new Blob([toFile(shown)], { type }), `preview.${extension}`)}
      />
      {onClose && <IconButton size="sm" label={texts.close} icon={<X size={16} />} onClick={onClose} />}
    </header>
  )
}
