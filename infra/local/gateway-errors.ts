import { AppError } from '../../functions/platform/errors.ts'

/** The local gateway's own error responses. On AWS they are gateway responses of the same shape. */

export class MethodNotAllowed extends AppError {
  readonly code = 'method_not_allowed'
  readonly status = 405
  readonly userMessage = 'This address does not answer that kind of request.'
}

/** The handler threw, or returned something that is not a response. */
export class FunctionFailed extends AppError {
  readonly code = 'function_failed'
  readonly status = 502
  readonly userMessage = 'Something went wrong on our side. Please try again.'
}

export class FunctionTimedOut extends AppError {
  readonly code = 'timed_out'
  readonly status = 504
  readonly userMessage = 'This took too long. Please try again.'
}

/** A foreign name in the Host header: a page elsewhere whose own name points here (DNS rebinding). */
export class ForeignHost extends AppError {
  readonly code = 'foreign_host'
  readonly status = 403
  readonly userMessage = 'This address is served to this machine only, as 127.0.0.1 or localhost.'
}

export class MalformedRequest extends AppError {
  readonly code = 'bad_request'
  readonly status = 400
  readonly userMessage = 'The request is not valid HTTP.'
}

export class ShuttingDown extends AppError {
  readonly code = 'shutting_down'
  readonly status = 503
  readonly userMessage = 'The server is stopping. Please try again in a moment.'
  override readonly retryAfterSeconds = 2
}
