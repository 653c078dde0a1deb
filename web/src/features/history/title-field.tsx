import { t } from '@lingui/core/macro'
import { useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { maxTitleCharacters } from '#shared/limits.ts'
import { useEscape } from '../../lib/input/escape.ts'
import { isEnter } from '../../lib/input/keys.ts'
import { bind } from '../../lib/input/text-input.ts'
import type { Input } from '../../lib/input/use-input.ts'

/** The selections of fields that were removed while they had the focus, by id of the conversation: a row that moves is mounted again. */
const selections = new Map<string, [from: number | null, to: number | null]>()

/**
 * The field that renames a conversation. Enter and leaving it save the title, Escape does not.
 * @param onEnd called once, with the new title, or undefined when cancelled; `hasLeft`: by leaving the field, and not by a key
 */
export function TitleField({
  id,
  input: title,
  onEnd,
}: {
  id: string
  input: Input<string>
  onEnd: (title: string | undefined, options: { hasLeft: boolean }) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const hasEnded = useRef(false)
  useLayoutEffect(() => {
    const node = input.current
    if (!node) return
    const selection = selections.get(id)
    selections.delete(id)
    let frame = 0
    if (selection) {
      node.focus()
      node.setSelectionRange(...selection)
    }
    // after the menu that has opened the field has returned the focus
    else
      frame = requestAnimationFrame(() => {
        // selecting need not focus
        node.focus()
        node.select()
      })
    return () => {
      cancelAnimationFrame(frame)
      if (document.activeElement === node && !hasEnded.current)
        selections.set(id, [node.selectionStart, node.selectionEnd])
    }
  }, [id])
  const end = (newTitle: string | undefined, hasLeft = false) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(newTitle, { hasLeft })
  }
  const save = (hasLeft: boolean) => end(title.value.trim() || undefined, hasLeft)
  useEscape(
    'field',
    () => end(undefined),
    (target) => target === input.current,
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event)) return
    event.preventDefault()
    event.stopPropagation()
    save(false)
  }
  return (
    <input
      ref={input}
      aria-label={t`Title of the conversation`}
      dir="auto"
      {...bind(title)}
      maxLength={maxTitleCharacters}
      onKeyDown={onKeyDown}
      onBlur={() => save(true)}
      className="h-10 w-full rounded-sm bg-surface-raised px-2 font-medium hairline outline-accent [--hairline:var(--color-line-control)] focus:outline-2 max-sm:h-11 max-sm:text-base"
    />
  )
}
