import { t, plural } from '@lingui/core/macro'
import { formatCount } from '../../../lib/text/locale.ts'

/** How many rows a result has, and how many of them are shown if not all are. */
export const formatShownRows = (shown: number, total: number) =>
  shown < total ? t`${{ shown: formatCount(shown) }} of ${formatCount(total)} rows` : formatRowCount(total)

/** Such as "3 rows", in the page's language. */
export const formatRowCount = (count: number) => plural(count, { one: '# row', other: '# rows' })
