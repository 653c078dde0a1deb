export const title = 'Model'
export const button = (model: string, effort: string | undefined) =>
  effort === undefined ? `Model: ${model}` : `Model: ${model}, effort ${effort}`
export const isDefault = 'Default'
export const noVision = 'Text only'
export const effortTitle = 'Effort'
export const automaticEffort = 'Automatic'
export const effortHint = 'More effort takes longer and costs more.'
export const imagesNotSeen = (model: string) => `${model} cannot see images. It gets your text without them.`

const effortNames: Record<string, string> = { xhigh: 'Extra high', none: 'None' }
/** Formats an effort, which the model's server names, such as `high`. */
export const effort = (word: string) => effortNames[word] ?? word.charAt(0).toUpperCase() + word.slice(1)
