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
  type ClipboardEvent,
  type KeyboardEvent,
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
import { whenIdle } from '../../../lib/browser/when-idle.ts'
import { AttachButton } from '../attachments/attach-button.tsx'
import { attachFiles, longPasteCharacters } from '../attachments/attach-files.ts'
import { findSendBlocker, isRefused } from '../attachments/send-blocker.ts'
import { type ChosenFile, findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import { useFileDrop } from '../attachments/use-file-drop.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import type { ComposerDraft } from '../state/message-queue.ts'
import { refuseTooLong } from '../trim-message.ts'
import { ComposerChoices } from './composer-choices.tsx'
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
  /** what the field is for, for those who do not see it on the page */
  description?: string | undefined
}

/** The field for messages, with its files and buttons. */
export const Composer = memo(function Composer({
  assistantName,
  placeholder,
  description,
  ...options
}: ComposerProps) {
  const { conversation, draftKey, uploadQueue } = options
  const id = useId()
  const dictates = useConfig()?.dictation
  const composer = useComposer(options)
  const { field, text, files, mayAttach } = composer
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const projectId = useConversationState(conversation, (state) => state.projectId)
  const assistantId = useConversationState(conversation, ({ assistant }) =>
    assistant?.gone ? undefined : assistant?.id,
  )
  useFittedHeight(field, text)

  return (
    <>
      <form
        {...composer.formProps}
        className={clsx(
          cardClass,
          'relative short:flex short:flex-wrap short:items-end outline-accent-soft-hover [--hairline:var(--color-line-control)] focus-within:outline-[3px] focus-within:[--hairline:var(--color-accent)]',
        )}
      >
        {promptKey.test(text) && (
          <PromptMenu input={field} text={text} projectId={projectId} assistantId={assistantId} />
        )}
        {files.length > 0 && <Chips queue={uploadQueue} files={files} />}
        <label htmlFor={id} className="sr-only">
          {t`Message ${assistantName}`}
        </label>
        {description !== undefined && (
          <span id={`${id}description`} hidden>
            {description}
          </span>
        )}
        <textarea
          {...composer.bindField()}
          id={id}
          rows={1}
          dir="auto"
          aria-describedby={description === undefined ? undefined : `${id}description`}
          placeholder={placeholder ?? t`Message ${assistantName}...`}
          style={{ minHeight: composerMinPx, maxHeight: composerMaxPx }}
          className="block w-full resize-none bg-transparent px-4 pt-[15px] text-base field-sizing-content scroll-quiet outline-none short:w-auto short:min-w-32 short:flex-1"
        />
        <div className="flex items-center gap-0.5 p-[7px] pt-0.5">
          {mayAttach && (
            <>
              <AttachButton onFiles={composer.attach} />
              <AttachMenu onFiles={composer.attach} />
            </>
          )}
          <div
            data-icons-only
            className="flex min-w-0 flex-1 flex-wrap items-center justify-end *:mb-0 *:min-w-0 *:pb-0"
          >
            <ComposerChoices conversation={conversation} uploadQueue={uploadQueue} />
          </div>
          {dictates && <Dictation draftKey={isTemporary ? undefined : draftKey} />}
          <SendButtons conversation={conversation} composer={composer} />
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
