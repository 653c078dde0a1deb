import {
  useCallback,
  useLayoutEffect,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  type SubmitEvent,
} from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { useAddFiles } from '../../../components/use-add-files.ts'
import { useStore } from '../../../lib/create-store.ts'
import { composerInputKey, readDraft } from '../../../lib/drafts.ts'
import { markdownType, pasteMarkdown, setComposerText } from '../../../lib/composer-text.ts'
import { useEscape } from '../../../lib/escape.ts'
import { isSendKey, isTouchOnly } from '../../../lib/keys.ts'
import { bind, useDraftInput, type TextInput } from '../../../lib/text-input.ts'
import { attachFiles, longPasteCharacters } from '../attachments/attach-files.ts'
import { findSendBlocker, isRefused } from '../attachments/send-blocker.ts'
import { type ChosenFile, findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import { useFileDrop } from '../attachments/use-file-drop.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import type { ComposerDraft } from '../state/message-queue.ts'
import { refuseTooLong } from '../trim-message.ts'
import { useServiceReachable } from './use-service-reachable.ts'

/** The conversation and the draft of a composer. */
export interface ComposerOptions extends ComposerDraft {
  conversation: Conversation
  /** @returns false when it was not sent; the text stays then */
  onSend: (text: string, attachments: readonly Attachment[]) => boolean
  /** called on arrow up in an empty composer */
  onEditLast?: (() => void) | undefined
}

/** What `useComposer` returns. */
export type ComposerState = ReturnType<typeof useComposer>

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
