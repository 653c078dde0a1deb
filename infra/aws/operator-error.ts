/** A mistake that the operator must correct; the message is complete, so no stack trace is shown. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
