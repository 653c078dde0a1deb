export const title = 'Custom instructions'
export const label = (assistantName: string) =>
  `What should ${assistantName} know about you, and how should it reply?`
export const placeholder = 'For example: I am a nurse in Oslo. Reply briefly, in metric units.'
export const hint =
  'Used in all conversations, starting with your next message. They cannot give tools more permissions.'
export const save = 'Save instructions'
export const saved = 'Instructions saved!'
export const savedHint = 'They apply from your next message on.'
export const notSaved = 'Instructions not saved'
export const leaveHint = 'Your changes to the instructions are not saved yet.'
