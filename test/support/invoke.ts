import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { exportJWK, SignJWT } from 'jose'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiScope } from '#shared/user-pool.ts'
import { type PathParams, type RouteName, routes } from '#shared/routes.ts'

/** The user pool of a handler test: signs tokens that the handlers accept, and serves the public keys. */
export async function startTestIssuer() {
  const issuer = 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_test'
  const clientId = 'test-client'
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256' }
  const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    clientId,
    /** variables with which the handlers trust it */
    environment: {
      TOKEN_ISSUER: issuer,
      JWKS_URI: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    },
    token: (sub: string, claims: Record<string, unknown> = {}) =>
      new SignJWT({
        token_use: 'access',
        client_id: clientId,
        scope: apiScope,
        auth_time: Math.floor(Date.now() / 1_000),
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setSubject(sub)
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(pair.privateKey),
    close: () => server.close(),
  }
}

export interface Call<Name extends RouteName> {
  params?: PathParams<Name>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

/** API Gateway's proxy event for a call. */
export function buildProxyEvent<Name extends RouteName>(
  name: Name,
  { params, query, body, headers = {} }: Call<Name> = {},
): APIGatewayProxyEvent {
  const { method, path } = routes[name]
  return {
    httpMethod: method,
    resource: path,
    headers,
    queryStringParameters: query ?? null,
    pathParameters: params ?? null,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1', requestTimeEpoch: Date.now() },
  } as unknown as APIGatewayProxyEvent
}

export const testContext = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 10_000 } as Context

type BufferedHandler = (event: never, context: Context) => unknown

/** Calls a buffered handler and returns its response with the parsed body. @param remainingMs of the function's time */
export async function invoke<Name extends RouteName>(
  handler: BufferedHandler,
  name: Name,
  call: Call<Name> = {},
  remainingMs = testContext.getRemainingTimeInMillis(),
) {
  const context = { ...testContext, getRemainingTimeInMillis: () => remainingMs }
  const answer = (await handler(buildProxyEvent(name, call) as never, context)) as {
    statusCode: number
    headers: Record<string, string>
    body: string
  }
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> }
}

/** The same as a signed-in user. */
export async function invokeAs<Name extends RouteName>(
  { token }: Pick<Awaited<ReturnType<typeof startTestIssuer>>, 'token'>,
  handler: BufferedHandler,
  name: Name,
  call: Call<Name> = {},
) {
  const authorization = `Bearer ${await token('ann')}`
  return invoke(handler, name, { ...call, headers: { ...call.headers, Authorization: authorization } })
}
