import { sayTool } from '#shared/sentences/tools.ts'

// apart from errors.ts: the chat function loads this one when it starts, and not what reads providers' errors
/** Ends the error of a call that may have changed something. */
export const mayBeDone = sayTool('may_be_done')
