import { lazy, Suspense, type ComponentType } from 'react'
import { PlainFormula, type FormulaProps } from './plain-formula.tsx'

/** What draws formulas is large, and loads with the first one. One that cannot be loaded leaves them as they were written. */
const Drawn = lazy<ComponentType<FormulaProps>>(() =>
  import('./drawn-formula.tsx').then(
    (module) => ({ default: module.DrawnFormula }),
    () => ({ default: PlainFormula }),
  ),
)

export function Formula(props: FormulaProps) {
  return (
    <Suspense fallback={<PlainFormula {...props} />}>
      <Drawn {...props} />
    </Suspense>
  )
}
