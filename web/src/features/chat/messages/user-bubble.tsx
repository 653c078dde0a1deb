import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { UserText } from '../markdown/user-text.tsx'

/** A text that takes more lines is collapsed to 12: it should hide at least three. */
const maxLines = 14
/** About as many Latin letters as fit into a line on a wide screen. */
const charactersPerLine = 70
/** Letters that are twice as wide. */
const wideLetter = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu

/** Estimates the lines that a paragraph takes; an empty one takes one. */
const countLines = (paragraph: string) =>
  Math.max(1, Math.ceil((paragraph.length + (paragraph.match(wideLetter)?.length ?? 0)) / charactersPerLine))

const isLongText = (text: string) =>
  text.split('\n').reduce((lines, paragraph) => lines + countLines(paragraph), 0) > maxLines

/** The text of a user message. A long one is collapsed; it opens when find in page, or a search result, scrolls to the rest of it. */
export function UserBubble({ text }: { text: string }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isLong = isLongText(text)
  const isCollapsed = isLong && !isOpen
  return (
    <div
      dir="auto"
      translate="no"
      className="max-w-[min(36rem,85%)] rounded-lg rounded-br-xs mirrored:rounded-br-lg mirrored:rounded-bl-xs bg-accent-soft px-4 py-[11px] text-base forced-colors:border wrap-anywhere max-sm:max-w-[88%]"
    >
      <div
        id={id}
        data-collapsed={isCollapsed || undefined}
        onScroll={isCollapsed ? () => setOpen(true) : undefined}
        className={isCollapsed ? 'line-clamp-12 print:line-clamp-none' : undefined}
      >
        <UserText text={text} />
      </div>
      {isLong && (
        <button
          type="button"
          translate="yes"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={({ currentTarget }) => {
            // the button is moved by the text, which has its new height then
            flushSync(() => setOpen(!isOpen))
            currentTarget.scrollIntoView({ block: 'nearest' })
          }}
          className="link mt-1 flex min-h-7 items-center text-sm font-medium max-sm:min-h-9 print:hidden"
        >
          {isOpen ? t`Show less` : t`Show more`}
        </button>
      )}
    </div>
  )
}
