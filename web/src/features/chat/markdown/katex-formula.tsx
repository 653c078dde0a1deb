import katex, { type KatexOptions } from 'katex'
import 'katex/dist/katex.min.css'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { PlainFormula, type FormulaProps } from './formula.tsx'
import { ScrollRegion } from './scroll-region.tsx'

/** Nothing a formula says may reach out of it: no links, no HTML, no macros without end, no letters as large as the page. */
const harmless: KatexOptions = {
  trust: false,
  strict: 'ignore',
  maxSize: 10,
  maxExpand: 200,
  throwOnError: true,
  output: 'htmlAndMathml',
}

/** Formulas that were set before: when a reply ends, all of them are shown once more. */
const known = new Map<string, DocumentFragment>()
const maxKnown = 200

/** @throws Error for TeX that KaTeX does not take */
function setFormula(place: HTMLElement, tex: string, display: boolean): void {
  const name = `${display} ${tex}`
  const before = known.get(name)
  if (before) return place.replaceChildren(before.cloneNode(true))
  katex.render(tex, place, { ...harmless, displayMode: display })
  const formula = document.createDocumentFragment()
  formula.append(...[...place.childNodes].map((node) => node.cloneNode(true)))
  const [oldest] = known.keys()
  if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
  known.set(name, formula)
}

/** A formula as set by KaTeX, which writes elements and no HTML; TeX that it does not take is shown as it was written. */
export const DrawnFormula = memo(function DrawnFormula({ tex, display }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null)
  const [refused, setRefused] = useState<string>()
  useLayoutEffect(() => {
    if (!place.current) return
    try {
      setFormula(place.current, tex, display)
    } catch {
      // whatever is wrong with it: its words are worth more than an error
      setRefused(tex)
    }
  }, [tex, display])
  if (refused === tex) return <PlainFormula tex={tex} display={display} />
  const formula = <span ref={place} dir="ltr" />
  if (!display) return formula
  return (
    <ScrollRegion as="span" label="Formula" className="py-1">
      {formula}
    </ScrollRegion>
  )
})
