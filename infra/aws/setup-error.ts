/** What an operator has to put right; the message says all there is to know, so no stack is shown. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}
