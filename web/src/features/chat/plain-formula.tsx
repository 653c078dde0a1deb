export interface FormulaProps {
  /** untrusted: a model's words */
  tex: string
  display: boolean
}

/** TeX as it was written. */
export function PlainFormula({ tex }: FormulaProps) {
  return <code>{tex}</code>
}
