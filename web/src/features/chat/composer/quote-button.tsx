import { t } from '@lingui/core/macro'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { isShortcut } from '../../../lib/input/shortcuts.ts'
import { findComposer } from '../../../lib/input/composer-text.ts'
import { copySelection, findSelectedText, findLastRect, quoteInComposer } from './quote-selection.ts'

/** The selected text, and where the button is, in CSS pixels within the messages. */
interface Placement {
  text: string
  left: number
  top: number
}

/**
 * Quotes the selected text of a message in the composer, with a button below the selection or with Ctrl/⌘ Shift 9. Also formats what is copied
 * from the messages (`copySelection`).
 * @param rows the element that contains the messages and the button
 */
export function QuoteButton({ rows }: { rows: RefObject<HTMLElement | null> }) {
  const isPressed = useRef(false)
  const [placement, setPlacement] = usePlacement(rows, isPressed)
  useFormattedCopy(rows)
  useQuoteShortcut(rows)

  if (!placement) return null
  return (
    <div
      data-quote
      className="absolute z-1 select-none print:hidden"
      style={{ left: placement.left, top: placement.top }}
    >
      <Button
        size="sm"
        className="shadow-float"
        onPointerDown={() => {
          isPressed.current = true
        }}
        onPointerCancel={() => {
          isPressed.current = false
        }}
        // the selection stays while the button is pressed
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          isPressed.current = false
          setPlacement(undefined)
          quoteInComposer(placement.text)
        }}
      >
        {t`Quote`}
      </Button>
    </div>
  )
}

/**
 * Follows the selection: where the button is; undefined while no text of one message is selected, or a pointer is still selecting.
 * @param isPressed whether the button is pressed, when the selection may already be gone: a tap clears it
 */
function usePlacement(rows: RefObject<HTMLElement | null>, isPressed: RefObject<boolean>) {
  const [placement, setPlacement] = useState<Placement>()

  useEffect(() => {
    let isPointerDown = false
    const update = () => {
      if (isPressed.current) return
      setPlacement(isPointerDown || !rows.current ? undefined : findPlacement(rows.current))
    }
    const onPointerDown = ({ target }: PointerEvent) => {
      isPointerDown = !(target instanceof Element && target.closest('[data-quote]'))
      // a press on the button that was ended elsewhere is no click
      if (isPointerDown) isPressed.current = false
    }
    const onPointerUp = () => {
      isPointerDown = false
      // the browser clears a selection after this event
      setTimeout(update)
    }
    const listeners = new AbortController()
    const { signal } = listeners
    document.addEventListener('selectionchange', update, { signal })
    document.addEventListener('pointerdown', onPointerDown, { signal })
    document.addEventListener('pointerup', onPointerUp, { signal })
    document.addEventListener('pointercancel', onPointerUp, { signal })
    return () => listeners.abort()
  }, [rows, isPressed])

  const isShown = placement !== undefined
  // a layout effect, because a streaming text may be replaced in the next moment
  useLayoutEffect(() => {
    if (!isShown || !rows.current) return
    const messages = rows.current
    // a selection whose text is replaced ends without an event
    const observer = new MutationObserver(() => {
      if (!isPressed.current) setPlacement(findPlacement(messages))
    })
    observer.observe(messages, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [isShown, rows, isPressed])

  return [placement, setPlacement] as const
}

function useFormattedCopy(rows: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      if (rows.current) copySelection(event, rows.current)
    }
    document.addEventListener('copy', onCopy)
    return () => document.removeEventListener('copy', onCopy)
  }, [rows])
}

function useQuoteShortcut(rows: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const selection = isShortcut(event, 'quote') && rows.current && findSelectedText(rows.current)
      if (!selection) return
      event.preventDefault()
      quoteInComposer(selection.text)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [rows])
}

/** About the size of the button. */
const widthPx = 80
const heightPx = 40
/** On touch screens the button is below the handles of the selection. */
const handlePx = 32

/** Positions the button below the selection, inside the messages and above the composer. */
function findPlacement(rows: HTMLElement): Placement | undefined {
  const selection = findSelectedText(rows)
  if (!selection) return undefined
  const outer = rows.getBoundingClientRect()
  const last = findLastRect(selection.range)
  if (!last) return undefined
  const gapPx = matchMedia('(pointer: coarse)').matches ? handlePx : 8
  const composerTop = findComposer()?.closest('section')?.getBoundingClientRect().top ?? Infinity
  return {
    text: selection.text,
    left: Math.max(0, Math.min(last.left - outer.left, outer.width - widthPx)),
    top: Math.min(last.bottom + gapPx, composerTop - heightPx) - outer.top,
  }
}
