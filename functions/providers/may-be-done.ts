// apart from errors.ts: the chat function loads this one when it starts, and not what reads providers' errors
/** Ends the error of a call that may have changed something. */
export const mayBeDone = 'It may have been done: check before you try again.'
