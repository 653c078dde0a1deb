import type { Sentence } from '#shared/sentences/sentence.ts'
import { ToolError } from '../platform/tool-error.ts'

// apart from errors.ts: the chat function loads this one when it starts, and not what reads providers' errors
/** A failed provider call, with sentences for the model. */
export class ProviderError extends ToolError {
  /** the HTTP status, if there was a response */
  readonly status: number | undefined
  /** the call was sent, and it is not known whether it was done */
  readonly isOutcomeUnknown: boolean

  constructor(
    said: Sentence | readonly Sentence[],
    status?: number,
    { isOutcomeUnknown = false, ...options }: { cause?: unknown; isOutcomeUnknown?: boolean } = {},
  ) {
    super(said, options)
    this.status = status
    this.isOutcomeUnknown = isOutcomeUnknown
  }
}
