export const thinking = 'Thinking…'
export const thoughtFor = (seconds: number) =>
  seconds < 60 ? `Thought for ${seconds} s` : `Thought for ${Math.floor(seconds / 60)} min ${seconds % 60} s`
