/** A mistake that the operator must correct; the message is complete, so no stack trace is shown. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}
