import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { maxMessageCharacters } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { isEnter, useEscape } from '../../../lib/keys.ts'
import * as texts from '../texts.tsx'
import * as commonTexts from '../../../components/texts.ts'

const maxHeightPx = 320

/** Edits a user message in place. Escape cancels, Enter sends. */
export function MessageEditor({
  text: original,
  mayBeEmpty,
  onCancel,
  onSend,
}: {
  text: string
  mayBeEmpty: boolean
  onCancel: () => void
  /** @returns whether the message was sent */
  onSend: (text: string) => boolean
}) {
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(original)
  const length = text.trim().length
  const sendable = (length > 0 || mayBeEmpty) && length <= maxMessageCharacters

  useLayoutEffect(() => {
    const node = input.current
    if (!node) return
    node.style.height = '0'
    node.style.height = `${Math.min(node.scrollHeight, maxHeightPx)}px`
  }, [text])
  useEffect(() => {
    const node = input.current
    node?.focus()
    node?.setSelectionRange(node.value.length, node.value.length)
  }, [])

  useEscape('field', onCancel, (target) => target === input.current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event) || event.shiftKey) return
    event.preventDefault()
    if (sendable) onSend(text)
  }
  return (
    <form
      className="w-full max-w-[36rem] rounded-lg bg-accent-soft p-2 outline-accent focus-within:outline-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (sendable) onSend(text)
      }}
    >
      <label htmlFor={id} className="sr-only">
        {texts.editLabel}
      </label>
      <textarea
        ref={input}
        id={id}
        rows={1}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="block w-full resize-none bg-transparent px-2 py-1 text-base scroll-quiet outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
        <span className="flex-1 basis-56 ps-2 text-xs text-ink-muted">{texts.editHint}</span>
        <span className="flex gap-2">
          <Button variant="ghost" size="sm" onClick={onCancel}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" variant="primary" size="sm" disabled={!sendable}>
            {texts.send}
          </Button>
        </span>
      </div>
    </form>
  )
}
