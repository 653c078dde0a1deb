import { t } from '@lingui/core/macro'
import { formatCount } from '../../lib/locale.ts'
import { formatNumberInput, parseNumberInput } from '../../lib/number-input.ts'

/**
 * Says why the text of a number field cannot be saved. Call it for a text that is no number, or too large a one.
 * @param options.hasDecimals whether the field takes numbers that are not whole
 * @param options.largest the largest number that the service takes
 */
export const describeNumberProblem = (
  text: string,
  { hasDecimals, largest }: { hasDecimals: boolean; largest: number },
): string =>
  (parseNumberInput(text, { hasDecimals }) ?? 0) > largest
    ? t`Please enter ${{ largest: formatCount(largest) }} at most, or nothing.`
    : hasDecimals
      ? t`Please enter a number, such as ${{ example: formatNumberInput(2.25) }}, or nothing.`
      : t`Please enter a whole number, such as 50000, or nothing.`
