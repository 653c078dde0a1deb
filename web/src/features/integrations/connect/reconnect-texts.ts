// reconnect
export const continueReply = 'Continue'
export const openIntegrations = 'Open integrations'
export const reconnect = 'Reconnect'
export const newKey = (name: string) => `New key of ${name}`
export const tryAgainHint = 'Please try again.'
export const saveKey = 'Save and continue'
export const setUpAgain = (name: string) => `Set up ${name} again`
