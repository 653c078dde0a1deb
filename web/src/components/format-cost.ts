import { t } from '@lingui/core/macro'
import { locale } from '../lib/text/locale.ts'

/** Decimals of amounts below a dollar: many replies cost less than a cent. */
const maxDecimals = 4
/** The smallest amount in USD that these decimals show. */
const smallestCost = 10 ** -maxDecimals

/** An amount in USD, such as a limit: `$5.00`. Amounts below a dollar have up to four decimals, others two. */
export const formatDollars = (amount: number): string =>
  amount.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: amount < 1 ? maxDecimals : 2,
  })

/** A cost that was estimated by the operator's list of prices: `about $0.12`. @param cost in USD */
export const formatCost = (cost: number): string =>
  cost > 0 && cost < smallestCost
    ? t`less than ${{ amount: formatDollars(smallestCost) }}`
    : t`about ${{ amount: formatDollars(cost) }}`
