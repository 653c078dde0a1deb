import { defineErrors } from '../../functions/platform/errors.ts'

/** The local gateway's own error responses. On AWS they are gateway responses of the same shape. */
export const {
  MethodNotAllowed,
  FunctionFailed,
  FunctionTimedOut,
  ForeignHost,
  MalformedRequest,
  ShuttingDown,
  ServerBusy,
} = defineErrors({
  MethodNotAllowed: [405, 'method_not_allowed', 'This address does not answer that kind of request.'],
  /** The handler threw, or returned something that is not a response. */
  FunctionFailed: [502, 'function_failed', 'Something went wrong on our side. Please try again.'],
  FunctionTimedOut: [504, 'timed_out', 'This took too long. Please try again.'],
  /** A foreign name in the Host header: a page elsewhere whose own name points here (DNS rebinding). */
  ForeignHost: [
    403,
    'foreign_host',
    'This address is served to this machine only, as 127.0.0.1 or localhost.',
  ],
  MalformedRequest: [400, 'bad_request', 'The request is not valid HTTP.'],
  ShuttingDown: [503, 'shutting_down', 'The server is stopping. Please try again in a moment.', 2],
  /** Too many requests wait for this computer. */
  ServerBusy: [
    503,
    'server_busy',
    'The server has too much to do right now. Please try again in a moment.',
    2,
  ],
})
