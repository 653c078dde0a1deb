import { lazy, Suspense, type ComponentType } from 'react'

/** What draws formulas is large, and loads with the first one. One that cannot be loaded leaves them as they were written. */
const Drawn = lazy<ComponentType<FormulaProps>>(() =>
  import('./katex-formula.tsx').then(
    (module) => ({ default: module.DrawnFormula }),
    () => ({ default: PlainFormula }),
  ),
)

export function Formula(props: FormulaProps) {
  return (
    <Suspense fallback={props.display ? <AwaitedDisplay {...props} /> : <PlainFormula {...props} />}>
      <Drawn {...props} />
    </Suspense>
  )
}

/** Takes about the room that KaTeX will, so that what stands below moves less when it has come. */
function AwaitedDisplay(props: FormulaProps) {
  return (
    <span className="my-[1em] block min-h-[2em] py-1 text-center">
      <PlainFormula {...props} />
    </span>
  )
}

export interface FormulaProps {
  /** untrusted: a model's words */
  tex: string
  display: boolean
}

/** TeX as it was written. */
export function PlainFormula({ tex }: FormulaProps) {
  return <code>{tex}</code>
}
