export const title = 'Length of this conversation'
export const percent = (value: number) => `${value}%`
export const label = (value: number) => `${title}: ${value}% of what the model can read`
const tokens = (count: number) => count.toLocaleString()
export const explanation = (
  model: string,
  { percent: value, used, max }: Record<'percent' | 'used' | 'max', number>,
) =>
  `With the last reply it took ${value}% of what ${model} can read at once: ${tokens(used)} of ${tokens(max)} tokens, with files and tools.`
export const willBeCut = (isTemporary: boolean) =>
  isTemporary
    ? 'When older messages no longer fit, the assistant no longer sees them.'
    : 'When older messages no longer fit, the assistant works from a summary of them.'
export const cut = (isTemporary: boolean) =>
  isTemporary
    ? 'Older messages no longer fit: the assistant no longer sees them.'
    : 'Older messages no longer fit: the assistant works from a summary of them.'
export const newChat = 'A new chat starts empty.'
