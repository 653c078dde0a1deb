import { gatewaySentences } from '#shared/sentences/gateway.ts'
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
} = defineErrors(gatewaySentences, {
  MethodNotAllowed: [405, 'method_not_allowed'],
  /** The handler threw, or returned something that is not a response. */
  FunctionFailed: [502, 'function_failed'],
  FunctionTimedOut: [504, 'timed_out'],
  /** A foreign name in the Host header: a page elsewhere whose own name points here (DNS rebinding). */
  ForeignHost: [403, 'foreign_host'],
  MalformedRequest: [400, 'bad_request.not_http'],
  ShuttingDown: [503, 'shutting_down', { retryAfterSeconds: 2 }],
  /** Too many requests wait for this computer. */
  ServerBusy: [503, 'server_busy', { retryAfterSeconds: 2 }],
})
