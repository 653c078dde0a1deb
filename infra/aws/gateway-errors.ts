import { gatewaySentences } from '#shared/sentences/gateway.ts'
import { platformSentences } from '#shared/sentences/platform.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { defineSentences } from '#shared/sentences/to-sentence.ts'
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'

const say = defineSentences({ ...platformSentences, ...gatewaySentences })

interface GatewayError {
  /** absent: the gateway's default */
  readonly status?: number
  readonly sentence: Sentence
  readonly headers?: Readonly<Record<string, string>>
}

const notFound = { status: 404, sentence: say('not_found') }
const notSignedIn = {
  status: 401,
  sentence: say('not_signed_in'),
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
  ACCESS_DENIED: { status: 403, sentence: say('forbidden') },
  REQUEST_TOO_LARGE: { status: 413, sentence: say('body_too_large') },
  THROTTLED: {
    status: 429,
    sentence: say('too_many_requests.gateway'),
    headers: { 'Retry-After': '5' },
  },
  INTEGRATION_FAILURE: { status: 502, sentence: say('internal_error') },
  INTEGRATION_TIMEOUT: { status: 504, sentence: say('timeout') },
  DEFAULT_4XX: { sentence: say('request_refused') },
  DEFAULT_5XX: { sentence: say('internal_error') },
}

/** Gives the gateway's own errors the common shape: `{success:false, error, code, requestId}` as JSON. */
export function customizeGatewayResponses(api: RestApi) {
  for (const [type, { status, sentence, headers }] of Object.entries(gatewayErrors)) {
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
          error: sentence.text,
          code: sentence.code,
          params: sentence.params,
          requestId: '$context.requestId',
        }),
      },
    })
  }
}
