import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ArrowUp } from 'lucide-react'
import {
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
} from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { cardClass } from '../../../components/ui/card-class.ts'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { useAddFiles } from '../../../components/use-add-files.ts'
import { markdownType, pasteMarkdown, setComposerText } from '../../../lib/input/composer-text.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { useStore } from '../../../lib/browser/create-store.ts'
import { composerInputKey, readDraft } from '../../../lib/input/drafts.ts'
import { useEscape } from '../../../lib/input/escape.ts'
import { isSendKey, isTouchOnly } from '../../../lib/input/keys.ts'
import { composerMaxPx, composerMinPx } from '../../../lib/browser/limits.ts'
import { bind, useDraftInput, type TextInput } from '../../../lib/input/text-input.ts'
import { phoneQuery, useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import { whenIdle } from '../../../lib/browser/when-idle.ts'
import { AttachButton } from '../attachments/attach-button.tsx'
import { attachFiles, longPasteCharacters } from '../attachments/attach-files.ts'
import { findSendBlocker, isRefused } from '../attachments/send-blocker.ts'
import { type ChosenFile, findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import { useFileDrop } from '../attachments/use-file-drop.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import type { ComposerDraft } from '../state/message-queue.ts'
import { refuseTooLong } from '../trim-message.ts'
import { ComposerFooter } from './composer-footer.tsx'
import { useServiceReachable } from './use-service-reachable.ts'

/** Its code is loaded with the first file. */
const Chips = lazyComponent(
  () => import('../attachments/attachment-chips.tsx'),
  'AttachmentChips',
  <div className="h-14" />,
)

const AttachMenu = lazyComponent(
  async () => {
    await whenIdle()
    return import('../attachments/attach-menu.tsx')
  },
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

const Dictation = lazyComponent(() => import('./dictation.tsx'), 'Dictation', null, {
  silent: true,
})

/** The padding that makes room for one, two and three buttons. */
const buttonPadding = [
  'pr-14 mirrored:pl-14',
  'pr-24 mirrored:pl-24 max-sm:pr-26 max-sm:mirrored:pl-26',
  'pr-34 mirrored:pl-34 max-sm:pr-38 max-sm:mirrored:pl-38',
]

/** A slash, also as Chinese and Japanese keyboards write it. */
const promptKey = /^[/／、]/

/** The conversation and the draft of a composer. */
export interface ComposerOptions extends ComposerDraft {
  conversation: Conversation
  /** @returns false when it was not sent; the text stays then */
  onSend: (text: string, attachments: readonly Attachment[]) => boolean
  /** called on arrow up in an empty composer */
  onEditLast?: (() => void) | undefined
}

interface ComposerProps extends ComposerOptions {
  assistantName: string
  placeholder?: string
  /** choices that are shown between the buttons, below the text */
  choices?: ReactNode
}

/** The field for messages, with its files and buttons. */
export const Composer = memo(function Composer({
  assistantName,
  placeholder,
  choices,
  ...options
}: ComposerProps) {
  const { conversation, draftKey, uploadQueue } = options
  const id = useId()
  const dictates = useConfig()?.dictation
  const composer = useComposer(options)
  const { field, text, files, isBlank, isReplying, mayAttach } = composer
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const projectId = useConversationState(conversation, (state) => state.projectId)
  const assistantId = useConversationState(conversation, ({ assistant }) =>
    assistant?.gone ? undefined : assistant?.id,
  )
  const isTall = useTallField(field, isBlank) || choices !== undefined
  useFittedHeight(field, text)

  return (
    <>
      <form
        {...composer.formProps}
        className={clsx(
          cardClass,
          'relative outline-accent-soft-hover [--hairline:var(--color-line-control)] focus-within:outline-[3px] focus-within:[--hairline:var(--color-accent)]',
        )}
      >
        {promptKey.test(text) && (
          <PromptMenu input={field} text={text} projectId={projectId} assistantId={assistantId} />
        )}
        {files.length > 0 && <Chips queue={uploadQueue} files={files} />}
        <label htmlFor={id} className="sr-only">
          {t`Message ${assistantName}`}
        </label>
        <textarea
          {...composer.bindField()}
          id={id}
          rows={1}
          dir="auto"
          placeholder={placeholder ?? t`Message ${assistantName}...`}
          style={{ minHeight: composerMinPx, maxHeight: composerMaxPx }}
          className={clsx(
            'block w-full resize-none bg-transparent text-base field-sizing-content scroll-quiet outline-none',
            isTall
              ? 'px-4 pt-[15px]'
              : // sides by the direction of the page: the field itself has the direction of its text
                [
                  'py-[13px]',
                  mayAttach
                    ? 'pl-18 mirrored:pr-18 max-sm:pl-22 max-sm:mirrored:pr-22'
                    : 'pl-4 mirrored:pr-4',
                  buttonPadding[(dictates ? 1 : 0) + (isReplying && !isBlank ? 1 : 0)],
                ],
          )}
        />
        {/* the same elements in both layouts, so that a dictation goes on when the text becomes long */}
        <div className={isTall ? 'flex items-center gap-0.5 p-[7px] pt-0.5' : 'contents'}>
          <div className={isTall ? 'flex' : 'absolute bottom-2 start-2 flex max-sm:bottom-1 max-sm:start-1'}>
            {mayAttach && (
              <>
                <AttachButton onFiles={composer.attach} />
                <AttachMenu onFiles={composer.attach} />
              </>
            )}
          </div>
          {isTall && (
            <div data-icons-only className="flex min-w-0 flex-1 flex-wrap items-center *:min-w-0 *:pb-0">
              {choices}
            </div>
          )}
          <div
            className={clsx(
              'flex',
              isTall ? 'gap-0.5' : 'absolute end-2 bottom-2 gap-1.5 max-sm:end-1 max-sm:bottom-1',
            )}
          >
            {dictates && <Dictation draftKey={isTemporary ? undefined : draftKey} />}
            <SendButtons conversation={conversation} composer={composer} />
          </div>
        </div>
      </form>
      <ComposerFooter
        assistantName={assistantName}
        conversation={conversation}
        isReachable={composer.isReachable}
        isTouch={composer.isTouch}
        blocker={composer.blocker}
        awaitsUploads={composer.awaitsUploads}
        onCancelSending={composer.cancelSending}
      />
      {composer.isDragging && <DropOverlay mayAttach={mayAttach} />}
    </>
  )
})

/** Stop, while a reply is pending, and Send. While a reply is pending and nothing is written there is only Stop. */
function SendButtons({
  conversation,
  composer,
}: {
  conversation: Conversation
  composer: ReturnType<typeof useComposer>
}) {
  const { isBlank, isReachable, isReplying, blocker, awaitsUploads } = composer
  const isStopping = useConversationState(conversation, ({ pending }) => pending.phase === 'stopping')
  const sendLabel = isReplying ? t`Send after this reply` : t`Send`
  return (
    <>
      {isReplying && (
        <Tooltip text={isStopping ? t`Stopping` : t`Stop (Esc)`} namesEscape side="top">
          <Button variant="outline" aria-label={t`Stop`} {...composer.stopProps} size="icon">
            <svg aria-hidden width={12} height={12} className={isStopping ? 'animate-breathe' : undefined}>
              <rect width={12} height={12} rx={2.5} fill="currentColor" />
            </svg>
          </Button>
        </Tooltip>
      )}
      {!(isReplying && isBlank) && (
        <Tooltip text={!isReachable ? t`You are offline` : (blocker?.reason ?? sendLabel)} side="top">
          <Button
            variant="primary"
            aria-label={sendLabel}
            {...composer.sendProps}
            busy={awaitsUploads}
            size="icon"
          >
            {!awaitsUploads && <ArrowUp aria-hidden size={20} strokeWidth={1.75} />}
          </Button>
        </Tooltip>
      )}
    </>
  )
}

/**
 * The state and the behaviour of a composer: its text, its files, sending, stopping and keys. It stays usable while a reply streams.
 * @returns what `Composer` shows, and the attributes of its form, text field and buttons
 */
export function useComposer({ conversation, draftKey, uploadQueue, onSend, onEditLast }: ComposerOptions) {
  const draft = useDraftInput(composerInputKey(draftKey))
  const text = draft.value
  const isReachable = useServiceReachable()
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useStore(uploadQueue.files)
  const isReplying = useConversationState(conversation, (state) => state.isReplying)
  const { messageQueue } = conversation
  const awaitsUploads = useStore(messageQueue.isAwaitingUploads)
  const isBlank = text.trim() === '' && files.every(isRefused)
  const blocker = findSendBlocker(files)
  const { mayAdd, addFiles: attach } = useAttachFiles(uploadQueue)
  const isDragging = useFileDrop(attach)
  const isTouch = isTouchOnly()
  const stop = useStop(conversation, isReplying)
  const sendPressedAtMs = useRef(-Infinity)
  useInitialFocus(field)

  const submit = () => {
    if (isBlank || refuseTooLong(text)) return
    const currentBlocker = findSendBlocker(uploadQueue.files.getState())
    if (currentBlocker)
      return messageQueue.sendAfterUploads(currentBlocker.isUploading ? { draftKey, uploadQueue } : undefined)
    if (!isReachable || !onSend(text, findStored(uploadQueue.files.getState()))) return
    uploadQueue.clear()
    draft.change('')
    focusOnComputer(field.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey
    if (event.key === 'ArrowUp' && !hasModifier && text === '' && isBlank && onEditLast) {
      event.preventDefault()
      return onEditLast()
    }
    if (!isSendKey(event)) return
    event.preventDefault()
    submit()
  }

  return {
    field,
    text,
    files,
    attach,
    /** whether the user's groups allow files */
    mayAttach: mayAdd,
    isDragging,
    isBlank,
    isReachable,
    isReplying,
    /** what keeps the message from being sent */
    blocker,
    /** Send was pressed, and the message is sent when its uploads are finished */
    awaitsUploads: awaitsUploads && blocker?.isUploading === true,
    cancelSending: () => messageQueue.sendAfterUploads(undefined),
    isTouch,
    formProps: {
      onSubmit: (event: SubmitEvent) => {
        event.preventDefault()
        submit()
      },
    },
    bindField: () => ({
      ...bind(draft),
      ref: field,
      enterKeyHint: isTouch ? ('enter' as const) : ('send' as const),
      'data-composer': draftKey,
      onKeyDown,
      onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => {
        // a long text stays text if the user may not add files
        if (mayAdd) pasteAsFile(event, { draftKey, uploadQueue, draft, field })
        if (!event.isDefaultPrevented()) pasteMarkdown(event)
      },
    }),
    sendProps: {
      type: 'submit' as const,
      onClick: () => (sendPressedAtMs.current = performance.now()),
      disabled: isBlank || !isReachable || blocker?.isUploading === false,
    },
    stopProps: {
      /** ignores the second click of a double click on Send, in whose place Stop is by then */
      onClick: () => performance.now() - sendPressedAtMs.current >= doubleClickMs && stop(),
    },
  }
}

/** The default interval of a double click on Windows. */
const doubleClickMs = 500

/** Stops the reply with Escape. @returns stops it, too; a toast says if that fails */
function useStop(conversation: Conversation, isReplying: boolean): () => void {
  const stop = () => void conversation.stop()
  useEscape('reply', isReplying ? stop : undefined)
  return stop
}

/** Attaches a long text that is pasted as a file. A shorter text, and one that is pasted along with files, is left to the browser. */
function pasteAsFile(
  event: ClipboardEvent<HTMLTextAreaElement>,
  {
    draftKey,
    uploadQueue,
    draft,
    field,
  }: ComposerDraft & { draft: TextInput; field: RefObject<HTMLTextAreaElement | null> },
): void {
  const text = event.clipboardData.getData(markdownType) || event.clipboardData.getData('text/plain')
  if (text.length <= longPasteCharacters || event.clipboardData.files.length > 0) return
  event.preventDefault()
  const { value, selectionStart, selectionEnd } = event.currentTarget
  void import('../attachments/attach-pasted-text.ts').then(
    ({ attachPastedText }) => attachPastedText({ queue: uploadQueue, text, input: field, draftKey }),
    () => {
      // after a sign-out nothing is stored
      if (uploadQueue.signal.aborted) return
      const node = field.current
      // the user has left the conversation
      if (!node) return draft.change(readDraft(draftKey) + text)
      // what is selected is replaced, as by the browser, and what was typed since the paste stays
      const isUnchanged = node.value === value && node.selectionEnd === selectionEnd
      setComposerText(node, text, isUnchanged ? selectionStart : node.selectionEnd, node.selectionEnd)
    },
  )
}

/** Adds files to the queue that the composer has when they are there: a screenshot may be ready only after the draft has another key. */
function useAttachFiles(uploadQueue: UploadQueue) {
  const currentQueue = useRef(uploadQueue)
  useLayoutEffect(() => {
    currentQueue.current = uploadQueue
  }, [uploadQueue])
  return useAddFiles(
    useCallback((chosen: readonly ChosenFile[]) => attachFiles(currentQueue.current, chosen), []),
  )
}

/** Focuses the field when it appears, where that opens no keyboard on the screen. */
function useInitialFocus(field: RefObject<HTMLElement | null>): void {
  // a layout effect, so that keys pressed in the moment the composer appears are already for it
  useLayoutEffect(() => {
    // the conversation list stays open after a conversation is deleted from it
    if (document.querySelector('[role="dialog"]') === null) focusOnComputer(field.current)
  }, [field])
}

/**
 * Focuses a field, but not on touch screens, where that would open the on-screen keyboard. `findComposerToFocus` would bring more code to the
 * first page.
 */
const focusOnComputer = (field: HTMLElement | null) =>
  matchMedia('(pointer: fine)').matches && field?.focus({ preventScroll: true })

/**
 * Whether the text stands above the buttons. On a phone a text of two lines moves there, and stays until it is sent or emptied: in the full
 * width it may fit into one line again, and would move back.
 */
function useTallField(field: RefObject<HTMLTextAreaElement | null>, isBlank: boolean): boolean {
  const isNarrow = useMediaQuery(phoneQuery)
  const [isLong, setIsLong] = useState(false)
  if (isLong && isBlank) setIsLong(false)
  useEffect(() => {
    const node = field.current
    if (!node) return
    const observer = new ResizeObserver(() => {
      if (node.value !== '' && node.offsetHeight > composerMinPx) setIsLong(true)
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [field])
  return isNarrow && isLong
}

/** Makes the field as high as its text, where the style sheet does not: there no key has to wait for a measurement of the whole text. */
function useFittedHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    const node = field.current
    if (node && !CSS.supports('field-sizing', 'content'))
      import('./fit-height.ts').then(
        ({ fitHeight }) => fitHeight(node),
        // the text scrolls in a field of one line
        () => undefined,
      )
  }, [field, text])
}
