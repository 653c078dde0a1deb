import { useEffectEvent, useLayoutEffect } from 'react'
import { isEscape } from './keys.ts'

/** What Escape closes before dialogs, menus and popovers, which are layers of Radix; the topmost first. */
const surfacesAboveRadix = ['tooltip', 'field', 'card'] as const
/** What it stops or closes after them. */
const surfacesBelowRadix = ['reply', 'page'] as const
type Surface = (typeof surfacesAboveRadix | typeof surfacesBelowRadix)[number]

interface EscapeHandler {
  surface: Surface
  appliesTo: (target: EventTarget | null) => boolean
  onEscape: () => void
}

const handlers = new Set<EscapeHandler>()

/**
 * Handles Escape while mounted. Only the topmost surface that applies gets it.
 * @param onEscape undefined while there is nothing to close or stop
 * @param appliesTo whether the surface handles an Escape that is pressed there, such as in its field
 */
export function useEscape(
  surface: Surface,
  onEscape: (() => void) | undefined,
  appliesTo?: EscapeHandler['appliesTo'],
): void {
  const isActive = onEscape !== undefined
  const handle = useEffectEvent(() => onEscape?.())
  const applies = useEffectEvent((target: EventTarget | null) => appliesTo?.(target) ?? true)
  // a layout effect: keys that are pressed in the moment something appears are for it
  useLayoutEffect(() => {
    if (!isActive) return
    const handler: EscapeHandler = {
      surface,
      appliesTo: (target) => applies(target),
      onEscape: () => handle(),
    }
    handlers.add(handler)
    return () => void handlers.delete(handler)
  }, [surface, isActive])
}

/** Gives Escape to the topmost of these surfaces, the newest of several. No later listener gets it then. */
function closeTopmost(event: KeyboardEvent, candidates: readonly Surface[]): void {
  if (!isEscape(event) || event.defaultPrevented) return
  const handler = candidates
    .flatMap((surface) => [...handlers].reverse().filter((each) => each.surface === surface))
    .find((each) => each.appliesTo(event.target))
  if (!handler) return
  event.preventDefault()
  event.stopImmediatePropagation()
  handler.onEscape()
}

// before the listeners of Radix
addEventListener('keydown', (event) => closeTopmost(event, surfacesAboveRadix), { capture: true })
// after all others: Radix prevents the default action of an Escape that closes one of its layers
addEventListener('keydown', (event) => closeTopmost(event, surfacesBelowRadix))
