import { lazy, Suspense, type ComponentType } from 'react'

/** KaTeX is large, and loads with the first formula. If it cannot be loaded, formulas are shown as TeX. */
const KatexFormula = lazy<ComponentType<FormulaProps>>(() =>
  import('./katex-formula.tsx').then(
    (module) => ({ default: module.KatexFormula }),
    () => ({ default: RawFormula }),
  ),
)

/** A formula; TeX until KaTeX is loaded. */
export function Formula(props: FormulaProps) {
  return (
    <Suspense fallback={props.displayMode ? <DisplayPlaceholder {...props} /> : <RawFormula {...props} />}>
      <KatexFormula {...props} />
    </Suspense>
  )
}

/** Reserves about the space of the formula, so that the text below moves less. */
function DisplayPlaceholder(props: FormulaProps) {
  return (
    <span className="my-[1em] block min-h-[2em] py-1 text-center">
      <RawFormula {...props} />
    </span>
  )
}

export interface FormulaProps {
  /** untrusted: written by a model */
  tex: string
  displayMode: boolean
}

/** The TeX of a formula. */
export function RawFormula({ tex }: FormulaProps) {
  return <code translate="no">{tex}</code>
}
