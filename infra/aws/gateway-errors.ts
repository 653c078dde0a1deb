import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'

interface GatewayError {
  /** absent: the gateway's default */
  readonly status?: number
  readonly code: string
  readonly userMessage: string
  readonly headers?: Readonly<Record<string, string>>
}

const notFound = { status: 404, code: 'not_found', userMessage: 'There is nothing at this address.' }
const notSignedIn = {
  status: 401,
  code: 'not_signed_in',
  userMessage: 'User not authenticated',
  headers: { 'WWW-Authenticate': 'Bearer' },
}

/**
 * The gateway's own errors that can occur, with the codes and sentences of the functions: it has no request validators and no usage plans.
 * To the gateway an unknown path or method is a request with a missing or invalid AWS signature; to clients it is a 404.
 */
const gatewayErrors: Readonly<Record<string, GatewayError>> = {
  MISSING_AUTHENTICATION_TOKEN: notFound,
  INVALID_SIGNATURE: notFound,
  RESOURCE_NOT_FOUND: notFound,
  UNAUTHORIZED: notSignedIn,
  EXPIRED_TOKEN: notSignedIn,
  ACCESS_DENIED: {
    status: 403,
    code: 'forbidden',
    userMessage: 'This is not allowed. Please sign in again.',
  },
  REQUEST_TOO_LARGE: {
    status: 413,
    code: 'body_too_large',
    userMessage: 'The request is too large. Please send less at once.',
  },
  THROTTLED: {
    status: 429,
    code: 'too_many_requests',
    userMessage: 'Too many requests. Please wait a moment and try again.',
    headers: { 'Retry-After': '5' },
  },
  INTEGRATION_FAILURE: {
    status: 502,
    code: 'internal_error',
    userMessage: 'Something went wrong on our side. Please try again.',
  },
  INTEGRATION_TIMEOUT: {
    status: 504,
    code: 'timeout',
    userMessage: 'This took too long. Please try again.',
  },
  DEFAULT_4XX: { code: 'request_refused', userMessage: 'The request was refused.' },
  DEFAULT_5XX: { code: 'internal_error', userMessage: 'Something went wrong on our side. Please try again.' },
}

/** Gives the gateway's own errors the common shape: `{success:false, error, code, requestId}` as JSON. */
export function customizeGatewayResponses(api: RestApi) {
  for (const [type, { status, code, userMessage: message, headers }] of Object.entries(gatewayErrors)) {
    const quotedHeaders = Object.entries({
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    }).map(([name, value]) => [name, `'${value}'`] as const)
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      ...(status !== undefined && { statusCode: String(status) }),
      responseHeaders: Object.fromEntries(quotedHeaders),
      templates: {
        'application/json': JSON.stringify({
          success: false,
          error: message,
          code,
          requestId: '$context.requestId',
        }),
      },
    })
  }
}
