import { t } from '@lingui/core/macro'

const effortNames: Record<string, string> = {
  xhigh: t`Extra high`,
  none: t({ message: 'None', context: 'effort' }),
}
/** Formats an effort, which the model's server names, such as `high`. */
export const effort = (word: string) => effortNames[word] ?? word.charAt(0).toUpperCase() + word.slice(1)
