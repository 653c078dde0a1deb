import { t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/locale.ts'
import { formatRowCount } from './format-row-count.ts'

/** How many rows a result has, and how many of them are shown if not all are. */
export const formatShownRows = (shown: number, total: number) =>
  shown < total ? t`${{ shown: formatCount(shown) }} of ${formatCount(total)} rows` : formatRowCount(total)
