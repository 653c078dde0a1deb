import katex, { type KatexOptions } from 'katex'
import 'katex/dist/katex.min.css'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { PlainFormula, type FormulaProps } from './plain-formula.tsx'
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

/** A formula as set by KaTeX, which writes elements and no HTML; TeX that it does not take is shown as it was written. */
export const DrawnFormula = memo(function DrawnFormula({ tex, display }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null)
  const [refused, setRefused] = useState<string>()
  useLayoutEffect(() => {
    if (!place.current) return
    try {
      katex.render(tex, place.current, { ...harmless, displayMode: display })
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
