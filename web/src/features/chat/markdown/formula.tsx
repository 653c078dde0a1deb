import { lazy, Suspense, type ComponentType } from 'react'

/** Loads KaTeX, which is large, with the first formula. If that fails, formulas are shown as TeX. */
const KatexFormula = lazy<ComponentType<FormulaProps>>(() =>
  import('./katex-formula.tsx').then(
    (module) => ({ default: module.KatexFormula }),
    () => ({ default: RawFormula }),
  ),
)

/** A formula. Shown as TeX until KaTeX is loaded. */
export function Formula(props: FormulaProps) {
  return (
    <Suspense fallback={props.displayMode ? <DisplayPlaceholder {...props} /> : <RawFormula {...props} />}>
      <KatexFormula {...props} />
    </Suspense>
  )
}

/** A displayed formula as TeX, in about the space that it will need, so that the text below moves less. */
function DisplayPlaceholder(props: FormulaProps) {
  return (
    <span className="my-[1em] block min-h-[2em] py-1 text-center">
      <RawFormula {...props} />
    </span>
  )
}

/** A formula to show. */
export interface FormulaProps {
  /** TeX without delimiters; untrusted, because a model has written it */
  tex: string
  /** whether it stands on a line of its own, as in KaTeX */
  displayMode: boolean
}

export function RawFormula({ tex }: FormulaProps) {
  return <code translate="no">{tex}</code>
}
