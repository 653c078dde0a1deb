// elicitation-card
export const asks = (server: string) => `${server} asks you for something`
export const forTool = (title: string) => `To continue “${title}”.`
export const serverSays = (server: string) => `${server} says:`
export const noSecrets = (server: string) =>
  `What you enter goes to ${server}. Never enter passwords, keys or card numbers here.`
export const review = 'Review'
export const send = 'Send'
export const back = 'Back'
export const decline = 'Decline'
export const cancel = 'Cancel'
export const done = 'I have done it'
export const willBeSent = (server: string) => `This is sent to ${server}:`
export const nothingToSend = 'Nothing'

// elicitation-form
export const choose = 'Choose…'
export const optional = 'optional'

// elicitation-page
export const opens = 'This page opens in a new tab:'
export const open = (host: string) => `Open ${host}`
export const otherAlphabet =
  'The name of this site is written in another alphabet. It may imitate a site that you know.'
export const checkSite = 'Sign in or pay there only if you know this site.'

// review
export const yes = 'Yes'
export const no = 'No'
export const empty = 'Left empty'
