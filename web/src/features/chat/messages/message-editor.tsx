import { t } from '@lingui/core/macro'
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { maxMessageCharacters } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { isSendKey, isTouchOnly, useEscape } from '../../../lib/keys.ts'
import { fitHeight } from '../composer/fit-height.ts'
import { notifyTooLong } from '../state/chat-toasts.ts'
import { consumeFocusRequest } from './edit-message.ts'
import { bind } from '../../../lib/text-input.ts'
import type { Input } from '../../../lib/use-input.ts'

const maxHeightPx = 320

/** Edits a user message in place. Escape cancels, Enter sends as in the composer. */
export function MessageEditor({
  input: draft,
  inputKey,
  mayBeEmpty,
  isReplying,
  onSend,
}: {
  input: Input<string>
  /** the key under which the text is stored */
  inputKey: string
  /** whether the message has files and needs no text */
  mayBeEmpty: boolean
  /** whether a reply is pending, so that nothing can be sent */
  isReplying: boolean
  /** @returns whether the message was sent */
  onSend: (text: string) => boolean
}) {
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const text = draft.value
  const length = text.trim().length
  const maySend = !isReplying && (length > 0 || mayBeEmpty)
  const send = () => {
    if (!maySend) return
    if (length > maxMessageCharacters) return notifyTooLong()
    if (onSend(text)) draft.reset()
  }

  useLayoutEffect(() => {
    if (input.current && !CSS.supports('field-sizing', 'content'))
      fitHeight(input.current, { minPx: 0, maxPx: maxHeightPx })
  }, [text])
  useEffect(() => {
    const node = input.current
    if (!consumeFocusRequest(inputKey)) return
    node?.focus()
    node?.setSelectionRange(node.value.length, node.value.length)
  }, [inputKey])

  useEscape('field', draft.reset, (target) => target === input.current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="w-full max-w-[36rem] rounded-lg bg-accent-soft p-2 outline-accent focus-within:outline-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label htmlFor={id} className="sr-only">
        {t`Edit your message`}
      </label>
      <textarea
        ref={input}
        id={id}
        rows={1}
        dir="auto"
        {...bind(draft)}
        enterKeyHint={isTouchOnly() ? 'enter' : 'send'}
        onKeyDown={onKeyDown}
        style={{ maxHeight: maxHeightPx }}
        className="block w-full resize-none field-sizing-content bg-transparent px-2 py-1 text-base scroll-quiet outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
        <span className="flex-1 basis-56 ps-2 text-xs text-ink-muted">{t`The current message and the replies after it stay available as an earlier version.`}</span>
        <span className="flex gap-2">
          <Button variant="ghost" size="sm" onClick={draft.reset}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="primary" size="sm" disabled={!maySend}>
            {t`Send`}
          </Button>
        </span>
      </div>
    </form>
  )
}
