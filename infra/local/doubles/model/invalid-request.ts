/** An invalid request; all of it goes to the caller, in the form of OpenAI's errors. */
export class InvalidRequest extends Error {
  readonly param: string | null
  readonly status: number
  readonly code: string | null

  constructor(
    message: string,
    param: string | null,
    { status = 400, code = null }: { status?: number; code?: string | null } = {},
  ) {
    super(message)
    this.param = param
    this.status = status
    this.code = code
  }
}
