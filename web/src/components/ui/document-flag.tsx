import { useLayoutEffect } from 'react'

const counts = new Map<string, number>()

type FlagName = 'card' | 'dictation' | 'dock' | 'form-bar' | 'header' | 'panel' | 'sheet' | 'viewer'

/**
 * Sets the attribute `data-has-<name>` on the root element while it is mounted, for CSS rules and code elsewhere: `card` for a card of the
 * conversation that toasts must not cover, `dictation` for the controls of a dictation, `dock` for a docked panel, `form-bar` for the
 * fixed buttons of a form, `header` for that of a secondary page, `panel` for one over the page, `sheet` for a dialog, `viewer` for a
 * picture that covers the page. `:has()` with an attribute would do the same, but a single rule with it makes the browser walk the whole
 * page at each change of style after an element was added anywhere: half a millisecond for 500 elements, and again for every piece of a
 * streamed reply.
 */
export function DocumentFlag({ name }: { name: FlagName }) {
  useLayoutEffect(() => {
    const add = (difference: number) => {
      const count = (counts.get(name) ?? 0) + difference
      counts.set(name, count)
      document.documentElement.toggleAttribute(`data-has-${name}`, count > 0)
    }
    add(1)
    return () => add(-1)
  }, [name])
  return null
}
