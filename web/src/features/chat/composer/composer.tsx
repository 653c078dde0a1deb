import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ArrowUp } from 'lucide-react'
import {
  memo,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { composerMaxPx, composerMinPx } from '../../../lib/limits.ts'
import { maxMessageCharacters } from '#shared/limits.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { isEnter, useEscape } from '../../../lib/keys.ts'
import { useOnline } from '../../../lib/online.ts'
import { AttachButton } from '../attachments/attach-button.tsx'
import { attachFiles, longPasteCharacters } from '../attachments/attach-files.ts'
import { findSendBlocker, isRefused } from '../attachments/send-blocker.ts'
import { type ChosenFile, findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import { useFileDrop } from '../attachments/use-file-drop.ts'
import { useStore } from '../../../lib/create-store.ts'
import { notifyTooLong } from '../state/notify-too-long.ts'
import { composerPlace } from '../../../lib/drafts.ts'
import { bind, useDraftInput } from '../../../lib/text-input.ts'
import { useServiceReachable } from './use-service-reachable.ts'
import { cardClass } from '../../../components/ui/card.tsx'

/** Its code is loaded with the first file. */
const Chips = lazyComponent(
  () => import('../attachments/attachment-chips.tsx'),
  'AttachmentChips',
  <div className="h-14" />,
)

const AttachMenu = lazyComponent(
  () => import('../attachments/attach-menu.tsx'),
  'AttachMenu',
  null,
  // files can be attached without it
  { silent: true },
)

const DropOverlay = lazyComponent(
  () => import('../attachments/drop-overlay.tsx'),
  'DropOverlay',
  null,
  // files can be dropped without it
  { silent: true },
)

const PromptMenu = lazyComponent(
  () => import('./prompt-menu.tsx'),
  'PromptMenu',
  null,
  // what was typed is an ordinary message without it
  { silent: true },
)

/** What the key of the slash writes, also on Chinese and Japanese keyboards. */
const promptKey = /^[/／、]/

interface ComposerProps {
  assistantName: string
  /** identifies the user and the conversation of the draft */
  draftKey: string
  /** the files of the same draft */
  uploadQueue: UploadQueue
  isReplying: boolean
  /** a stop was requested and has not happened yet */
  isStopping: boolean
  /** the reply waits for a decision or an answer of the user */
  waitsForUser?: boolean
  /** @returns false when it was not sent; the text stays then */
  onSend: (text: string, attachments: readonly Attachment[]) => boolean
  /** whether the message is sent when its uploads are finished: Send was pressed before */
  sendsAfterUploads: boolean
  onSendAfterUploads: (isWanted: boolean) => void
  onStop: () => void
  /** called on arrow up in an empty composer */
  onEditLast?: () => void
  /** the button to dictate */
  dictation?: ReactNode
  /** whose saved prompts are offered, beside the user's own */
  projectId?: string | null | undefined
  /** shown below the text field */
  contextGauge?: ReactNode
}

/** The text field and its buttons. It stays usable while a reply streams. */
export const Composer = memo(function Composer({
  assistantName,
  draftKey,
  uploadQueue,
  isReplying,
  isStopping,
  waitsForUser = false,
  sendsAfterUploads,
  onSend,
  onSendAfterUploads,
  onStop,
  onEditLast,
  dictation,
  projectId,
  contextGauge,
}: ComposerProps) {
  const id = useId()
  const draft = useDraftInput(composerPlace(draftKey))
  const text = draft.value
  const online = useOnline()
  const isReachable = useServiceReachable()
  const input = useRef<HTMLTextAreaElement>(null)
  const files = useStore(uploadQueue.files)
  const isBlank = text.trim() === '' && files.every(isRefused)
  const sendBlocker = findSendBlocker(files)
  // a screenshot may be ready once the new chat has an id, or another conversation is shown
  const currentQueue = useRef(uploadQueue)
  useLayoutEffect(() => {
    currentQueue.current = uploadQueue
  }, [uploadQueue])
  const attach = useCallback((chosen: readonly ChosenFile[]) => attachFiles(currentQueue.current, chosen), [])
  const isDragging = useFileDrop(attach)
  const isTouch = isTouchOnly()
  const sendLabel = isReplying ? t`Send after this reply` : t`Send`

  useLayoutEffect(() => {
    const node = input.current
    // where the style sheet can size the field, no key has to wait for a measurement of the whole text
    if (!node || CSS.supports('field-sizing', 'content')) return
    const fit = () => fitHeight(node)
    fit()
    addEventListener('resize', fit)
    return () => removeEventListener('resize', fit)
  }, [text])
  // keys that are pressed in the moment the composer appears are for it
  useLayoutEffect(() => {
    // the conversation list stays open after a conversation is deleted from it
    const isCovered = document.querySelector('[role="dialog"]') !== null
    if (hasFinePointer() && !isCovered) input.current?.focus({ preventScroll: true })
  }, [])
  useEscape('reply', isReplying ? onStop : undefined)
  const sendPressedAtMs = useRef(-Infinity)
  /** Ignores the second click of a double click on Send, which Stop has replaced by then. */
  const stopUnlessDoubleClick = () => {
    if (performance.now() - sendPressedAtMs.current >= doubleClickMs) onStop()
  }

  const submit = () => {
    if (isBlank) return
    if (text.trim().length > maxMessageCharacters) return notifyTooLong()
    const currentBlocker = findSendBlocker(uploadQueue.files.getState())
    if (currentBlocker) return onSendAfterUploads(currentBlocker.isUploading)
    if (!isReachable) return
    if (!onSend(text, findStored(uploadQueue.files.getState()))) return
    uploadQueue.clear()
    draft.change('')
    if (hasFinePointer()) input.current?.focus({ preventScroll: true })
  }
  const isWaitingForUploads = sendsAfterUploads && sendBlocker?.isUploading === true
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain')
    if (pasted.length <= longPasteCharacters || event.clipboardData.files.length > 0) return
    event.preventDefault()
    void import('../attachments/attach-pasted-text.ts').then(
      ({ attachPastedText }) => attachPastedText({ queue: uploadQueue, text: pasted, input, draftKey }),
      () => draft.change(text + pasted),
    )
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    const isModified = shiftKey || altKey || ctrlKey || metaKey
    if (key === 'ArrowUp' && !isModified && isBlank && text === '' && onEditLast) {
      event.preventDefault()
      return onEditLast()
    }
    // on-screen keyboards have no Shift + Enter: Enter inserts a line break there
    if (!isEnter(event) || shiftKey || isTouch) return
    event.preventDefault()
    submit()
  }

  return (
    <>
      <form
        onSubmit={onSubmit}
        className={clsx(
          cardClass,
          'relative outline-accent-soft-hover [--hairline:var(--color-line-control)] focus-within:outline-[3px] focus-within:[--hairline:var(--color-accent)]',
        )}
      >
        {promptKey.test(text) && (
          <PromptMenu input={input} text={text} projectId={projectId} onPick={draft.change} />
        )}
        {files.length > 0 && <Chips queue={uploadQueue} files={files} />}
        <div className="absolute bottom-2 start-2 flex max-sm:bottom-1 max-sm:start-1">
          <AttachButton onFiles={attach} />
          <AttachMenu onFiles={attach} />
        </div>
        <label htmlFor={id} className="sr-only">
          {t`Message ${assistantName}`}
        </label>
        <textarea
          ref={input}
          id={id}
          rows={1}
          dir="auto"
          enterKeyHint={isTouch ? 'enter' : 'send'}
          {...bind(draft)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          data-composer={draftKey}
          placeholder={t`Message ${assistantName}...`}
          style={{ minHeight: composerMinPx, maxHeight: composerMaxPx }}
          className={clsx(
            'block w-full resize-none bg-transparent py-[13px] text-base field-sizing-content scroll-quiet outline-none',
            // of the page’s direction: the field has that of its text
            'pl-18 mirrored:pr-18 max-sm:pl-22 max-sm:mirrored:pr-22',
            buttonPadding[(dictation ? 1 : 0) + (isReplying && !isBlank ? 1 : 0)],
          )}
        />
        <div className="absolute end-2 bottom-2 flex gap-1.5 max-sm:end-1 max-sm:bottom-1">
          {dictation}
          {isReplying && (
            <Tooltip text={isStopping ? t`Stopping` : t`Stop (Esc)`} namesEscape side="top">
              <Button key="stop" size="icon" aria-label={t`Stop`} onClick={stopUnlessDoubleClick}>
                <svg
                  aria-hidden
                  width={12}
                  height={12}
                  className={isStopping ? 'animate-breathe' : undefined}
                >
                  <rect width={12} height={12} rx={2.5} fill="currentColor" />
                </svg>
              </Button>
            </Tooltip>
          )}
          {!(isReplying && isBlank) && (
            <Tooltip text={!isReachable ? t`You are offline` : (sendBlocker?.reason ?? sendLabel)} side="top">
              <Button
                key="send"
                type="submit"
                onClick={() => (sendPressedAtMs.current = performance.now())}
                variant="primary"
                size="icon"
                aria-label={sendLabel}
                disabled={isBlank || !isReachable || sendBlocker?.isUploading === false}
                busy={isWaitingForUploads}
              >
                {!isWaitingForUploads && <ArrowUp aria-hidden size={20} strokeWidth={1.75} />}
              </Button>
            </Tooltip>
          )}
        </div>
      </form>
      <div className="flex min-h-4 items-center justify-between gap-4 px-1 pt-2 text-xs text-ink-faint max-sm:justify-center">
        {sendBlocker && (sendsAfterUploads || !sendBlocker.isUploading) ? (
          <span role="status" className={sendBlocker.isUploading ? undefined : 'text-danger-ink'}>
            {sendBlocker.reason}
            {isWaitingForUploads && (
              <button type="button" className="link ms-1.5" onClick={() => onSendAfterUploads(false)}>
                {t`Cancel`}
              </button>
            )}
          </span>
        ) : !isReachable ? (
          <span role="status">{t`You are offline. Messages can be sent when the connection is back.`}</span>
        ) : (
          <span className={clsx('max-sm:hidden', isTouch && !waitsForUser && !isReplying && 'hidden')}>
            {waitsForUser
              ? t`Respond above to continue, or press Esc to stop`
              : isReplying
                ? t`${assistantName} is replying. Your next message waits for the end; Esc stops the reply`
                : t`Press Enter to send • Shift + Enter for new line`}
          </span>
        )}
        <span className="inline-flex shrink-0 items-center gap-4">
          {contextGauge}
          {online && (
            <span className="inline-flex items-center gap-1.5">
              <span aria-hidden className="size-2 rounded-full bg-success" />
              {t`${assistantName} Online`}
            </span>
          )}
        </span>
      </div>
      {isDragging && <DropOverlay />}
    </>
  )
})

/** The longest double-click interval of common systems. */
const doubleClickMs = 500

/** The room for Send (or Stop), and for one and two buttons more. */
const buttonPadding = [
  'pr-14 mirrored:pl-14',
  'pr-24 mirrored:pl-24 max-sm:pr-26 max-sm:mirrored:pl-26',
  'pr-34 mirrored:pl-34 max-sm:pr-38 max-sm:mirrored:pl-38',
]

const hasFinePointer = () => matchMedia('(pointer: fine)').matches
/** Whether there is no mouse or trackpad, so that the user types on the screen. */
const isTouchOnly = () =>
  matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches

/** Makes the field as high as its text, between 52 and 120 px. A longer text scrolls. */
function fitHeight(node: HTMLTextAreaElement) {
  node.style.height = '0'
  const height = node.scrollHeight
  node.style.height = `${Math.min(Math.max(height, composerMinPx), composerMaxPx)}px`
  node.style.overflowY = height > composerMaxPx ? 'auto' : 'hidden'
}
