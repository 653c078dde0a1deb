// reconnect
export const continueReply = 'Continue'
export const openIntegrations = 'Open integrations'
export const reconnect = 'Reconnect'
export const setUpAgain = (name: string) => `Set up ${name} again`
