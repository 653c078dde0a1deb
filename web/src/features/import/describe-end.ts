import { t } from '@lingui/core/macro'

/** Says that an import has ended. */
export const describeEnd = (isCancelled: boolean): string =>
  isCancelled ? t`The import was cancelled.` : t`Import finished`
