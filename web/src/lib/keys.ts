import { useEffectEvent, useLayoutEffect } from 'react'
import { shortcuts } from './shortcuts.ts'

/**
 * The one place that decides what Escape and Enter mean. Keys that an input method uses never reach the page: Enter confirms its word and
 * Escape discards it. Safari reports such a key after the composition has ended, with code 229.
 */
const isFromInputMethod = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229

/** Whether an input method is still composing the text of a field: nobody else may change it then. */
export const isComposed = (event: Event): boolean => 'isComposing' in event && event.isComposing === true

/** The name of the platform's modifier key. `navigator.platform` is deprecated, but Safari and Firefox have nothing else. */
export function getModifierKey(): 'Ctrl' | '⌘' {
  const { userAgentData } = navigator as { userAgentData?: { platform: string } }
  return /mac|iphone|ipad/i.test(userAgentData?.platform || navigator.platform) ? '⌘' : 'Ctrl'
}

/** Whether the key sends or confirms, with or without modifiers. */
export const isEnter = ({ key }: { key: string }): boolean => key === shortcuts.send.key

/** Whether there is no mouse or trackpad, so that the user types on the screen. */
export const isTouchOnly = (): boolean =>
  matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches

/** Whether the key sends a message. On-screen keyboards have no Shift + Enter: Enter adds a line there. */
export const isSendKey = (event: { key: string; shiftKey: boolean }): boolean =>
  isEnter(event) && !event.shiftKey && !isTouchOnly()

/** For documents other than the page's. In the page, use `useEscape`. */
export const isEscape = (event: KeyboardEvent): boolean =>
  event.key === shortcuts.stop.key && !isFromInputMethod(event)

/** What Escape closes or stops, the topmost first. Dialogs, menus and popovers, which are layers of Radix, come before the reply. */
const surfaces = ['tooltip', 'field', 'card', 'reply', 'page'] as const
type Surface = (typeof surfaces)[number]

interface EscapeHandler {
  surface: Surface
  appliesTo: (target: EventTarget | null) => boolean
  onEscape: () => void
}

const handlers = new Set<EscapeHandler>()

/**
 * Handles Escape while mounted. Only the topmost surface gets it.
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

/** Gives Escape to the topmost of these surfaces. Nothing else gets it then. */
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

// before all other listeners
addEventListener(
  'keydown',
  (event) => {
    if (isFromInputMethod(event)) event.stopImmediatePropagation()
    else closeTopmost(event, surfaces.slice(0, 3))
  },
  true,
)
// after all others: Radix prevents the default action of an Escape that closes one of its layers
addEventListener('keydown', (event) => closeTopmost(event, surfaces.slice(3)))
