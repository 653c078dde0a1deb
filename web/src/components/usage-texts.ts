export const input = 'Input tokens'
export const cached = 'of which cached'
export const output = 'Output tokens'
export const reasoning = 'of which reasoning'
export const images = 'Images'
export const replies = 'Replies'
export const cost = 'Cost'
export const model = 'Model'
export const about = (amount: string) => `about ${amount}`
export const lessThan = (amount: string) => `less than ${amount}`
export const withoutImages = 'The cost does not include images.'
export const partlyUnpriced = (tokens: string) =>
  `The cost does not include ${tokens} tokens of models whose price is not known.`
