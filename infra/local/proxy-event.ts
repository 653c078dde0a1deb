import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent, APIGatewayProxyEventHeaders } from 'aws-lambda'
import { audioTypes } from '../aws/audio-types.ts'
import type { RouteMatch } from './route-match.ts'

const accountId = '000000000000'
const stage = 'local'

/**
 * The event of API Gateway's REST proxy integration for a request.
 * @param body as received; files of routes that take them are passed on as base64, and what is no UTF-8, too
 * @param now milliseconds since 1970
 */
export function proxyEvent(
  request: IncomingMessage,
  { match, url, body, now }: { match: RouteMatch; url: URL; body: Buffer; now: number },
): APIGatewayProxyEvent {
  const [contentType = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  const isText = !audioTypes.includes(contentType.trim().toLowerCase()) && isUtf8(body)
  const method = request.method ?? 'GET'
  const query = groupByName([...url.searchParams])
  const headers = groupByName([...headerPairs(request), ...forwardedHeaders(request)])
  const requestContext = {
    accountId,
    apiId: 'local',
    authorizer: null,
    deploymentId: 'local',
    domainName: request.headers.host ?? '',
    domainPrefix: 'local',
    extendedRequestId: randomUUID(),
    httpMethod: method,
    identity: {
      ...noIdentity,
      sourceIp: sourceIp(request),
      userAgent: request.headers['user-agent'] ?? null,
    },
    path: `/${stage}${url.pathname}`,
    protocol: `HTTP/${request.httpVersion}`,
    requestId: randomUUID(),
    requestTime: formatRequestTime(now),
    requestTimeEpoch: now,
    resourceId: 'local',
    resourcePath: match.path,
    stage,
  }
  return {
    resource: match.path,
    path: url.pathname,
    httpMethod: method,
    headers: lastValues(headers) ?? {},
    multiValueHeaders: headers,
    queryStringParameters: lastValues(query),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(match.params),
    stageVariables: null,
    requestContext,
    body: body.length === 0 ? null : body.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
}

type Pair = readonly [string, string]

/** Header names as the client wrote them; `request.headers` has them in lower case. */
function headerPairs({ rawHeaders }: IncomingMessage): Pair[] {
  const pairs: Pair[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? ''])
  return pairs
}

function forwardedHeaders(request: IncomingMessage): Pair[] {
  return [
    ['X-Forwarded-For', sourceIp(request)],
    ['X-Forwarded-Port', String(request.socket.localPort ?? '')],
    ['X-Forwarded-Proto', 'http'],
  ]
}

const sourceIp = (request: IncomingMessage) => request.socket.remoteAddress ?? '127.0.0.1'

function groupByName(pairs: readonly Pair[]): Record<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value])
  return Object.fromEntries(groups)
}

/** API Gateway's single maps hold the last of several values, and are null rather than empty. */
function lastValues(groups: Record<string, string[]>): APIGatewayProxyEventHeaders | null {
  return orNull(Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1)])))
}

const orNull = <T extends object>(map: T): T | null => (Object.keys(map).length === 0 ? null : map)

/** `20/Nov/2026:08:05:09 +0000` */
function formatRequestTime(now: number): string {
  const [, day, month, year, time] = new Date(now).toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}
