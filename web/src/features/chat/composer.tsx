import clsx from 'clsx'
import { ArrowUp } from 'lucide-react'
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type SubmitEvent,
} from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { composerMaxPx, composerMinPx, maxMessageCharacters } from '#shared/limits.ts'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { Tooltip } from '../../components/ui/tooltip.tsx'
import { useOnline } from '../../lib/online.ts'
import { AttachButton } from './attachments/attach-button.tsx'
import { attachFiles, attachPastedText, longPasteCharacters } from './attachments/attach-files.ts'
import { sendHold } from './attachments/send-hold.ts'
import type { Tray } from './attachments/tray.ts'
import { useFileDrop } from './attachments/use-file-drop.ts'
import { useStore } from '../../lib/create-store.ts'
import { useDraft } from './use-draft.ts'
import { useReachable } from './use-reachable.ts'

/** Loads with the first file. */
const Chips = lazy(() => import('./attachments/chips.tsx').then((module) => ({ default: module.Chips })))

const { Component: DropOverlay } = lazyComponent(
  () => import('./attachments/drop-overlay.tsx').then((module) => module.DropOverlay),
  null,
  // files can be dropped without it
  { silent: true },
)

interface ComposerProps {
  assistantName: string
  /** names the user and the conversation that the draft belongs to */
  draftKey: string
  /** the files of the same draft */
  tray: Tray
  isLoading: boolean
  /** a stop was asked for and has not happened yet */
  stopping: boolean
  /** the reply asks something, and goes on when it is answered */
  waiting?: boolean
  /** @returns whether it was sent; the text stays when it was not */
  onSend: (text: string, attachments: readonly Attachment[]) => boolean
  onStop: () => void
  /** the arrow up in an empty composer */
  onEditLast?: () => void
}

/** Where one writes (CHAT-30 to CHAT-39). It stays live while a reply streams. */
export const Composer = memo(function Composer({
  assistantName,
  draftKey,
  tray,
  isLoading,
  stopping,
  waiting = false,
  onSend,
  onStop,
  onEditLast,
}: ComposerProps) {
  const id = useId()
  const [text, setText] = useDraft(draftKey)
  const online = useOnline()
  const reachable = useReachable()
  const input = useRef<HTMLTextAreaElement>(null)
  const files = useStore(tray.files)
  const blank = text.trim() === '' && files.length === 0
  const hold = sendHold(files)
  /** sending was asked for while files were on their way: it happens when they have arrived */
  const [armed, setArmed] = useState(false)
  const attach = useCallback((chosen: readonly File[]) => attachFiles(tray, chosen), [tray])
  const dragging = useFileDrop(attach)
  const touchOnly = isTouchOnly()
  const sendLabel = isLoading ? 'Send after this reply' : 'Send'

  useLayoutEffect(() => {
    const node = input.current
    if (!node) return
    const fit = () => fitHeight(node)
    fit()
    addEventListener('resize', fit)
    return () => removeEventListener('resize', fit)
  }, [text])
  useEffect(() => {
    // the list of conversations stays open over the fresh chat that takes the place of a deleted one
    const isCovered = document.querySelector('[role="dialog"]') !== null
    if (finePointer() && !isCovered) input.current?.focus({ preventScroll: true })
  }, [])
  useEscape(isLoading, onStop)
  const sendPressedAtMs = useRef(-Infinity)
  /** The second press of a double click on Send is not meant for Stop, which comes to its place. */
  const stopByPress = () => {
    if (performance.now() - sendPressedAtMs.current >= doubleClickMs) onStop()
  }

  const submit = () => {
    if (blank) return
    if (text.trim().length > maxMessageCharacters) return tooLong()
    const inTheWay = sendHold(tray.files.getState())
    if (inTheWay) return setArmed(inTheWay.passes)
    if (!reachable) return
    if (!onSend(text, storedOf(tray))) return
    tray.take()
    setText('')
    if (finePointer()) input.current?.focus({ preventScroll: true })
  }
  const sendNow = useRef(submit)
  useEffect(() => {
    sendNow.current = submit
  })
  const waits = armed && hold?.passes === true
  useEffect(() => {
    if (!armed) return
    let settled = false
    return tray.files.subscribe(() => {
      const now = sendHold(tray.files.getState())
      // sending empties the tray, which is told here again
      if (settled || now?.passes) return
      settled = true
      setArmed(false)
      if (!now) sendNow.current()
    })
  }, [armed, tray])
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain')
    if (pasted.length <= longPasteCharacters || event.clipboardData.files.length > 0) return
    event.preventDefault()
    const node = event.currentTarget
    attachPastedText(tray, pasted, () => {
      // what was typed since the paste stays: the text goes where the caret is now
      const { selectionStart: from, selectionEnd: to, value } = node
      setText(value.slice(0, from) + pasted + value.slice(to))
    })
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    const isModified = shiftKey || altKey || ctrlKey || metaKey
    if (key === 'ArrowUp' && !isModified && blank && text === '' && onEditLast && !isComposing(event)) {
      event.preventDefault()
      return onEditLast()
    }
    // keyboards on the screen have no Shift + Enter: Enter makes a new line there, and the button sends
    if (key !== 'Enter' || shiftKey || isComposing(event) || touchOnly) return
    event.preventDefault()
    submit()
  }

  return (
    <>
      <form
        onSubmit={onSubmit}
        className="relative rounded-lg bg-surface-raised hairline outline-accent-soft-hover [--hairline:var(--color-line-control)] focus-within:outline-[3px] focus-within:[--hairline:var(--color-accent)]"
      >
        {files.length > 0 && (
          <Suspense fallback={<div className="h-14" />}>
            <Chips tray={tray} files={files} />
          </Suspense>
        )}
        <AttachButton onFiles={attach} className="absolute bottom-2 left-2 size-9! rounded-sm!" />
        <label htmlFor={id} className="sr-only">
          Message {assistantName}
        </label>
        <textarea
          ref={input}
          id={id}
          rows={1}
          dir="auto"
          enterKeyHint={touchOnly ? 'enter' : 'send'}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          data-composer
          placeholder={`Message ${assistantName}...`}
          style={{ minHeight: composerMinPx, maxHeight: composerMaxPx }}
          className={clsx(
            'block w-full resize-none bg-transparent py-[13px] pl-12 text-base scroll-quiet outline-none',
            isLoading && !blank ? 'pr-24' : 'pr-14',
          )}
        />
        <div className="absolute right-2 bottom-2 flex gap-1.5">
          {isLoading && (
            <Tooltip text={stopping ? 'Stopping' : 'Stop (Esc)'} side="top">
              <Button key="stop" variant="outline" aria-label="Stop" onClick={stopByPress} className={square}>
                <svg aria-hidden width={12} height={12} className={stopping ? 'animate-breathe' : undefined}>
                  <rect width={12} height={12} rx={2.5} fill="currentColor" />
                </svg>
              </Button>
            </Tooltip>
          )}
          {!(isLoading && blank) && (
            <Tooltip text={!reachable ? 'You are offline' : (hold?.reason ?? sendLabel)} side="top">
              <Button
                key="send"
                type="submit"
                onClick={() => (sendPressedAtMs.current = performance.now())}
                variant="primary"
                aria-label={sendLabel}
                disabled={blank || !reachable || hold?.passes === false}
                busy={waits}
                className={square}
              >
                {!waits && <ArrowUp aria-hidden size={20} strokeWidth={1.75} />}
              </Button>
            </Tooltip>
          )}
        </div>
      </form>
      <div className="flex min-h-4 items-center justify-between gap-4 px-1 pt-2 text-xs text-ink-faint max-sm:justify-center">
        {hold && (armed || !hold.passes) ? (
          <span role="status" className={hold.passes ? undefined : 'text-danger-ink'}>
            {hold.reason}
            {waits && (
              <button type="button" className="link ml-1.5" onClick={() => setArmed(false)}>
                Do not send yet
              </button>
            )}
          </span>
        ) : !reachable ? (
          <span role="status">You are offline. Messages can be sent when the connection is back.</span>
        ) : (
          <span className={clsx('max-sm:hidden', touchOnly && !waiting && !isLoading && 'hidden')}>
            {waiting
              ? 'Answer above to go on, or press Esc to stop'
              : isLoading
                ? `${assistantName} is replying. Your next message waits for the end; Esc stops the reply`
                : 'Press Enter to send • Shift + Enter for new line'}
          </span>
        )}
        {online && (
          <span className="inline-flex shrink-0 items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-full bg-success" />
            {assistantName} Online
          </span>
        )}
      </div>
      {dragging && <DropOverlay />}
    </>
  )
})

const storedOf = (tray: Tray) =>
  tray.files.getState().flatMap(({ attachment }) => (attachment ? [attachment] : []))

const tooLong = () => {
  showToast('error', 'This message is too long', {
    id: 'too-long',
    description: `One message holds ${maxMessageCharacters.toLocaleString('en')} characters.`,
  })
}

/** The longest that systems take two presses for one double click. */
const doubleClickMs = 500

const square = 'size-9! rounded-sm! p-0! max-sm:size-9!'

const finePointer = () => matchMedia('(pointer: fine)').matches
/** No mouse or trackpad, attached or built in: what is typed is typed on the screen. */
const isTouchOnly = () =>
  matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches

/** An input method's Enter chooses a word; Safari reports it after the composition, with code 229. */
const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent) => nativeEvent.isComposing || keyCode === 229

/** CHAT-31, LIM-04: as high as its text between 52 and 120 px, beyond that it scrolls. */
function fitHeight(node: HTMLTextAreaElement) {
  node.style.height = '0'
  const height = node.scrollHeight
  node.style.height = `${Math.min(Math.max(height, composerMinPx), composerMaxPx)}px`
  node.style.overflowY = height > composerMaxPx ? 'auto' : 'hidden'
}

/** Escape stops the reply from anywhere, unless something open closes by it. */
function useEscape(active: boolean, onEscape: () => void) {
  useEffect(() => {
    if (!active) return
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) onEscape()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [active, onEscape])
}
