import { t } from '@lingui/core/macro'

const names = new Map(
  Object.entries({
    none: t({ message: 'None', context: 'effort' }),
    minimal: t({ message: 'Minimal', context: 'effort' }),
    low: t({ message: 'Low', context: 'effort' }),
    medium: t({ message: 'Medium', context: 'effort' }),
    high: t({ message: 'High', context: 'effort' }),
    xhigh: t`Extra high`,
    max: t({ message: 'Maximum', context: 'effort' }),
  }),
)

/** The name of an effort in the language of the page; of one that is not known the server's own, with a capital. @param effort such as `high` */
export const formatEffort = (effort: string): string =>
  names.get(effort) ?? effort.charAt(0).toUpperCase() + effort.slice(1)
