import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * The one place that decides what Escape and Enter mean. Keys that an input method uses never reach the page: Enter confirms its word and
 * Escape discards it. Safari reports such a key after the composition has ended, with code 229.
 */
const isFromInputMethod = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229

/** Whether the key sends or confirms, with or without modifiers. */
export const isEnter = ({ key }: { key: string }): boolean => key === 'Enter'

/** For documents other than the page's. In the page, use `useEscape`. */
export const isEscape = (event: KeyboardEvent): boolean => event.key === 'Escape' && !isFromInputMethod(event)

/** What Escape closes or stops, the topmost first. Dialogs, menus and popovers come between: they are layers of Radix. */
const surfacesAbove = ['tooltip', 'field', 'card'] as const
const surfacesBelow = ['reply', 'page'] as const
type Surface = (typeof surfacesAbove)[number] | (typeof surfacesBelow)[number]

interface EscapeHandler {
  surface: Surface
  appliesTo: (target: EventTarget | null) => boolean
  onEscape: () => void
}

const handlers = new Set<EscapeHandler>()

const always = () => true

/**
 * Handles Escape while mounted. Only the topmost surface gets it.
 * @param onEscape undefined while there is nothing to close or stop
 * @param appliesTo whether the surface handles an Escape that is pressed there, such as in its field
 */
export function useEscape(
  surface: Surface,
  onEscape: (() => void) | undefined,
  appliesTo: EscapeHandler['appliesTo'] = always,
): void {
  const isActive = onEscape !== undefined
  const handle = useEffectEvent(() => onEscape?.())
  const applies = useEffectEvent(appliesTo)
  // a layout effect: keys that are pressed in the moment something appears are for it
  useLayoutEffect(() => {
    if (!isActive) return
    const handler = {
      surface,
      appliesTo: (target: EventTarget | null) => applies(target),
      onEscape: () => handle(),
    }
    handlers.add(handler)
    return () => void handlers.delete(handler)
  }, [surface, isActive])
}

/** Gives Escape to the topmost surface. Nothing else gets it then. */
function closeTopmost(surfaces: readonly Surface[], event: KeyboardEvent): void {
  for (const surface of surfaces) {
    const handler = [...handlers].findLast((each) => each.surface === surface && each.appliesTo(event.target))
    if (!handler) continue
    event.preventDefault()
    event.stopImmediatePropagation()
    return handler.onEscape()
  }
}

// before all other listeners
addEventListener(
  'keydown',
  (event) => {
    if (isFromInputMethod(event)) event.stopImmediatePropagation()
    else if (isEscape(event)) closeTopmost(surfacesAbove, event)
  },
  { capture: true },
)
// after all others: Radix prevents the default action of an Escape that closes one of its layers
addEventListener('keydown', (event) => {
  if (isEscape(event) && !event.defaultPrevented) closeTopmost(surfacesBelow, event)
})
