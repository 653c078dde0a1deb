/** Errors of the gateway in front of the functions: API Gateway on AWS, and that of the local product. */
export const gatewaySentences = {
  forbidden: 'This is not allowed. Please sign in again.',
  'too_many_requests.gateway': 'Too many requests. Please wait a moment and try again.',
  /** API Gateway gave up waiting for the function */
  timeout: 'This took too long. Please try again.',
  request_refused: 'The request was refused.',
  method_not_allowed: 'This address does not answer that kind of request.',
  function_failed: 'Something went wrong on our side. Please try again.',
  /** the function itself was stopped at its timeout, on a local product */
  timed_out: 'This took too long. Please try again.',
  foreign_host: 'This address is served to this machine only, as 127.0.0.1 or localhost.',
  'bad_request.not_http': 'The request is not valid HTTP.',
  shutting_down: 'The server is stopping. Please try again in a moment.',
  server_busy: 'The server has too much to do right now. Please try again in a moment.',
} as const
