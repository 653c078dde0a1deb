/** Texts that several features show. */
export const cancel = 'Cancel'
export const close = 'Close'
export const copied = 'Copied'
export const retry = 'Retry'
export const tryAgain = 'Try again'
export const startFreshChat = 'Start Fresh Chat'
