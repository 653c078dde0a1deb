export const replyUsage = 'Usage of this reply'
export const conversationUsage = 'Usage of this conversation'
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
export const estimated = 'The model server did not report all tokens, so they are an estimate.'
export const withoutImages = 'The cost does not include images.'
export const partlyUnpriced = (tokens: string) =>
  `The cost does not include ${tokens} tokens of models whose price is not known.`
export const withVersions =
  'All replies of this conversation count, including regenerated, stopped and failed ones.'
export const since = (day: string) => `Counted since ${day}. Earlier replies are not included.`
