import { t } from '@lingui/core/macro'
import { locale } from '../lib/locale.ts'

/** In USD: smaller amounts would be shown as $0.00. */
const smallestCost = 0.0001

/** An exact amount, such as a limit: `$5.00`. */
export const formatDollars = (amount: number): string =>
  amount.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: amount < 1 ? 4 : 2,
  })

/** @param cost in USD, by the prices that the operator has listed */
export const formatCost = (cost: number): string =>
  cost > 0 && cost < smallestCost
    ? t`less than ${{ amount: formatDollars(smallestCost) }}`
    : t`about ${{ amount: formatDollars(cost) }}`
