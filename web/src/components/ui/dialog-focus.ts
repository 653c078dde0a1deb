import { useRef } from 'react'
import { findComposerToFocus } from '../../lib/input/focus-targets.ts'
import { giveFocus } from './focus-return.ts'

/**
 * Returns the focus on close to where it came from.
 * @param findTarget overrides the target, if it finds one
 * @returns handlers for the content
 */
export function useFocusReturn(findTarget?: () => HTMLElement | null) {
  const opener = useRef<Element | null>(null)
  // the opener may have closed meanwhile, e.g. a panel
  const findOrigin = () => (opener.current?.isConnected ? opener.current : findComposerToFocus())
  return {
    onOpenAutoFocus: () => {
      opener.current = findMenuTrigger(document.activeElement) ?? document.activeElement
    },
    onCloseAutoFocus: (event: Event) => giveFocus(event, findTarget?.() ?? findOrigin()),
  }
}

/** The menu item that opened the dialog is gone by then; the menu's trigger is not. */
function findMenuTrigger(item: Element | null): HTMLElement | null {
  const id = item?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return typeof id === 'string' ? document.getElementById(id) : null
}

const fieldSelector =
  ':is(input, textarea, select):not([type="hidden"], [readonly], :disabled, [tabindex="-1"]), [role="radio"][aria-checked="true"]'

/**
 * The first field, unless it is below the fold: what stands before it is read first, and the focus must be seen. A touch screen leaves
 * it to a tap: its keyboard would cover what the dialog says.
 */
function findField(content: HTMLElement): HTMLElement | undefined {
  if (matchMedia('(pointer: coarse)').matches) return undefined
  const fields = [...content.querySelectorAll<HTMLElement>(fieldSelector)]
  const first = fields.find((field) => field.checkVisibility())
  // what the dialog scrolls ends at its buttons
  const end = content.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
  return first && first.getBoundingClientRect().bottom <= end ? first : undefined
}

/**
 * Gives a new dialog the focus: its first field, as soon as it has one; else the choice that changes nothing (`data-safe`), else the
 * dialog itself, so that a key that comes too early does nothing. The dialog is shown from its beginning.
 */
export function focusFirst(content: HTMLElement): void {
  const first = findField(content) ?? content.querySelector<HTMLElement>('[data-safe]') ?? content
  first.focus({ preventScroll: true })
  if (first.matches(fieldSelector)) return
  const observer = new MutationObserver(() => {
    const isUntouched = document.activeElement === first || document.activeElement === content
    const field = isUntouched ? findField(content) : undefined
    if (!isUntouched || field) observer.disconnect()
    field?.focus({ preventScroll: true })
  })
  observer.observe(content, { childList: true, subtree: true })
}
