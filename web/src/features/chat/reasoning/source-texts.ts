export const sources = 'Sources'
