import { t } from '@lingui/core/macro'

export const title = t`Model`
export const button = (model: string, effort: string | undefined) =>
  effort === undefined ? t`Model: ${model}` : t`Model: ${model}, effort ${effort}`
export const isDefault = t`Default`
export const noVision = t`Text only`
export const effortTitle = t`Effort`
export const automaticEffort = t`Automatic`
export const effortHint = t`More effort takes longer and costs more.`
export const imagesNotSeen = (model: string) => t`${model} cannot see images. It gets your text without them.`

const effortNames: Record<string, string> = {
  xhigh: t`Extra high`,
  none: t({ message: 'None', context: 'effort' }),
}
/** Formats an effort, which the model's server names, such as `high`. */
export const effort = (word: string) => effortNames[word] ?? word.charAt(0).toUpperCase() + word.slice(1)
