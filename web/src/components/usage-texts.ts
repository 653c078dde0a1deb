import { t } from '@lingui/core/macro'

export const input = t`Input tokens`
export const cached = t`of which cached`
export const output = t`Output tokens`
export const reasoning = t`of which reasoning`
export const images = t`Images`
export const replies = t`Replies`
export const cost = t`Cost`
export const model = t`Model`
export const about = (amount: string) => t`about ${amount}`
export const lessThan = (amount: string) => t`less than ${amount}`
export const withoutImages = t`The cost does not include images.`
export const partlyUnpriced = (tokens: string) =>
  t`The cost does not include ${tokens} tokens of models whose price is not known.`
