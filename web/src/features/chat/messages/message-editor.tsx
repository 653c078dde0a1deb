import { t } from '@lingui/core/macro'
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { maxMessageCharacters } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { isEnter, useEscape } from '../../../lib/keys.ts'
import { takeFocus } from './edit-message.ts'
import { bind } from '../../../lib/text-input.ts'
import type { Input } from '../../../lib/use-input.ts'

const maxHeightPx = 320

/** Edits a user message in place. Escape cancels, Enter sends. */
export function MessageEditor({
  input: draft,
  inputKey,
  mayBeEmpty,
  isReplying,
  onSend,
}: {
  input: Input<string>
  inputKey: string
  mayBeEmpty: boolean
  /** nothing can be sent meanwhile */
  isReplying: boolean
  /** @returns whether the message was sent */
  onSend: (text: string) => boolean
}) {
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const text = draft.value
  const length = text.trim().length
  const sendable = !isReplying && (length > 0 || mayBeEmpty) && length <= maxMessageCharacters
  const send = () => {
    if (sendable && onSend(text)) draft.reset()
  }

  useLayoutEffect(() => {
    const node = input.current
    if (!node) return
    node.style.height = '0'
    node.style.height = `${Math.min(node.scrollHeight, maxHeightPx)}px`
  }, [text])
  useEffect(() => {
    const node = input.current
    if (!takeFocus(inputKey)) return
    node?.focus()
    node?.setSelectionRange(node.value.length, node.value.length)
  }, [inputKey])

  useEscape('field', draft.reset, (target) => target === input.current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event) || event.shiftKey) return
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
        onKeyDown={onKeyDown}
        className="block w-full resize-none bg-transparent px-2 py-1 text-base scroll-quiet outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
        <span className="flex-1 basis-56 ps-2 text-xs text-ink-muted">{t`The current message and the replies after it stay available as an earlier version.`}</span>
        <span className="flex gap-2">
          <Button variant="ghost" size="sm" onClick={draft.reset}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="primary" size="sm" disabled={!sendable}>
            {t`Send`}
          </Button>
        </span>
      </div>
    </form>
  )
}
