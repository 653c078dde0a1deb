import { t } from '@lingui/core/macro'
import 'katex/dist/katex.min.css'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { RawFormula, type FormulaProps } from './formula.tsx'
import { ScrollRegion } from '../../../components/scroll-region.tsx'
import { createBoundedCache } from './bounded-cache.ts'
import { katex, type KatexOptions } from './katex.ts'
import { renderTex } from './katex-source.ts'
import { maxMacroExpansions } from './markdown-limits.ts'

/** Formulas are untrusted: no links, no HTML, limited macro expansion and size. */
const safeOptions: KatexOptions = {
  trust: false,
  // TeX that LaTeX would not accept is drawn without a warning in the console
  strict: 'ignore',
  // in em: enough for any space that a formula needs, and too little to cover the page
  maxSize: 10,
  maxExpand: maxMacroExpansions,
  throwOnError: true,
  output: 'htmlAndMathml',
}

/** The formulas that were rendered last, because all formulas of a reply are mounted again when it ends. */
const renderCache = createBoundedCache<DocumentFragment>(200)

/** Renders a formula into a container. @throws Error for TeX that KaTeX rejects */
function renderFormula(container: HTMLElement, { tex, displayMode }: FormulaProps): void {
  const cacheKey = `${displayMode} ${tex}`
  const cached = renderCache.get(cacheKey)
  if (cached) return container.replaceChildren(cached.cloneNode(true))
  renderTex(tex, {
    displayMode,
    render: (source, options) => katex.render(source, container, { ...safeOptions, ...options }),
  })
  const formula = document.createDocumentFragment()
  formula.append(...[...container.childNodes].map((node) => node.cloneNode(true)))
  renderCache.set(cacheKey, formula)
}

/** A formula rendered by KaTeX into DOM nodes. TeX that KaTeX rejects is shown as text. */
export const KatexFormula = memo(function KatexFormula({ tex, displayMode }: FormulaProps) {
  const container = useRef<HTMLSpanElement>(null)
  const [invalidTex, setInvalidTex] = useState<string>()
  // a layout effect, so that no frame shows an empty formula
  useLayoutEffect(() => {
    if (!container.current) return
    try {
      renderFormula(container.current, { tex, displayMode })
    } catch {
      setInvalidTex(tex)
    }
  }, [tex, displayMode])
  if (invalidTex === tex) return <RawFormula tex={tex} displayMode={displayMode} />
  const formula = <span ref={container} dir="ltr" translate="no" />
  if (!displayMode) return formula
  return (
    <ScrollRegion as="span" label={t`Formula`} className="py-1">
      {formula}
    </ScrollRegion>
  )
})
