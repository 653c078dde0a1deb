import { t } from '@lingui/core/macro'
import { formatCount } from '../../lib/text/locale.ts'
import { formatNumberInput, parseNumberInput } from '../../lib/text/number-input.ts'

/** What a number field takes. Empty text is always valid. */
export interface NumberRule {
  /** whether numbers that are not whole are valid */
  hasDecimals: boolean
  smallest: number
  largest: number
}

/** What is wrong with the text of a number field. @returns undefined if it can be saved */
export function describeNumberProblem(
  text: string,
  { hasDecimals, smallest, largest }: NumberRule,
): string | undefined {
  const value = parseNumberInput(text, { hasDecimals })
  if (value === undefined) return undefined
  if (value < smallest) return t`Please enter ${{ smallest: formatCount(smallest) }} at least, or nothing.`
  // `parseNumberInput` does not read numbers with very many digits
  if (value > largest || Number(text) > largest)
    return t`Please enter ${{ largest: formatCount(largest) }} at most, or nothing.`
  if (!Number.isNaN(value)) return undefined
  return hasDecimals
    ? t`Please enter a number, such as ${{ example: formatNumberInput(2.25) }}, or nothing.`
    : t`Please enter a whole number, such as 50000, or nothing.`
}
