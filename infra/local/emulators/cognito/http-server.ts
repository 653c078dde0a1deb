import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { readBody } from '../../read-body.ts'
import { AwsError, verifySignature } from '../aws-json.ts'
import * as admin from './admin-operations.ts'
import { CognitoError } from './errors.ts'
import * as groups from './group-operations.ts'
import { respondHosted, isHostedPath } from './hosted-pages.ts'
import type { Operation } from './operation.ts'
import type { Pool } from './pool.ts'
import * as recovery from './recovery-operations.ts'
import * as signIn from './sign-in-operations.ts'
import * as signUp from './sign-up-operations.ts'
import * as mfa from './mfa-operations.ts'

const BODY_LIMIT = 1_000_000

/** By name; tests add what the product never calls. */
export const operations = new Map<string, Operation>(
  Object.entries({
    SignUp: signUp.signUp,
    ConfirmSignUp: signUp.confirmSignUp,
    ResendConfirmationCode: signUp.resendConfirmationCode,
    InitiateAuth: signIn.initiateAuth,
    RespondToAuthChallenge: signIn.respondToAuthChallenge,
    GetTokensFromRefreshToken: signIn.getTokensFromRefreshToken,
    RevokeToken: signIn.revokeToken,
    ForgotPassword: recovery.forgotPassword,
    ConfirmForgotPassword: recovery.confirmForgotPassword,
    AssociateSoftwareToken: mfa.associateSoftwareToken,
    VerifySoftwareToken: mfa.verifySoftwareToken,
    SetUserMFAPreference: mfa.setUserMfaPreference,
    AdminCreateUser: admin.adminCreateUser,
    AdminSetUserPassword: admin.adminSetUserPassword,
    AdminSetUserMFAPreference: admin.adminSetUserMfaPreference,
    AdminGetUser: admin.adminGetUser,
    AdminUserGlobalSignOut: admin.adminUserGlobalSignOut,
    AdminDeleteUser: admin.adminDeleteUser,
    AdminDeleteUserAttributes: admin.adminDeleteUserAttributes,
    AdminDisableUser: admin.adminDisableUser,
    AdminEnableUser: admin.adminEnableUser,
    ListUsers: admin.listUsers,
    CreateGroup: groups.createGroup,
    DeleteGroup: groups.deleteGroup,
    ListGroups: groups.listGroups,
    AdminAddUserToGroup: groups.adminAddUserToGroup,
    AdminRemoveUserFromGroup: groups.adminRemoveUserFromGroup,
    AdminListGroupsForUser: groups.adminListGroupsForUser,
    ListUsersInGroup: groups.listUsersInGroup,
  }),
)

/** The pool's HTTP surface: the JSON 1.1 protocol under `/` and the public keys. Not yet listening. */
export function createCognitoServer(pool: Pool): Server {
  return createServer((request, response) => {
    allowOrigin(pool, request, response)
    response.setHeader('x-amzn-RequestId', randomUUID())
    // the SDK corrects its clock by this header; Node's own lags behind when a test moves the clock
    response.setHeader('date', new Date().toUTCString())
    const path = request.url?.split('?')[0]
    if (request.method === 'OPTIONS') respondToPreflight(request, response)
    else if (request.method === 'GET' && path === `/${pool.id}/.well-known/jwks.json`)
      sendJson(response, 200, pool.tokens.jwks, 'application/json')
    else if (request.method === 'POST' && path === '/') void respondToCall(pool, request, response)
    else if (isHostedPath(path)) void serveHosted(pool, request, response)
    else sendJson(response, 404, { message: 'Not Found' }, 'application/json')
  })
}

/** The service allows every origin. Here only the product's own: any page open in a browser on this machine could reach it. */
function allowOrigin(
  { siteOrigins }: Pool,
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
) {
  response.setHeader('vary', 'origin')
  if (origin === undefined || !siteOrigins.includes(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader(
    'access-control-expose-headers',
    'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
  )
}

async function serveHosted(pool: Pool, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const form = new URLSearchParams(
      request.method === 'POST' ? (await readBody(request, BODY_LIMIT, tooLarge)).toString() : '',
    )
    const {
      status,
      headers,
      body = '',
    } = await respondHosted(pool, {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`),
      cookie: request.headers.cookie ?? '',
      form,
    })
    if (!response.destroyed) response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
  } catch (error) {
    respondWithError(response, error)
  }
}

const tooLarge = () => new CognitoError('SerializationException', 'The request is too large', { status: 413 })

async function respondToCall(pool: Pool, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await readBody(request, BODY_LIMIT, tooLarge)
    const name = /^AWSCognitoIdentityProviderService\.(\w+)$/.exec(
      String(request.headers['x-amz-target']),
    )?.[1]
    const operation = name === undefined ? undefined : operations.get(name)
    if (!operation) throw new CognitoError('UnknownOperationException', 'Unknown operation')
    if (operation.isSigned) verifySignature(pool.signer, request, body)
    sendJson(response, 200, await operation.run(pool, parseJson(body)))
  } catch (error) {
    respondWithError(response, error)
  }
}

function respondWithError(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  const serviceError =
    error instanceof CognitoError
      ? error
      : error instanceof AwsError
        ? { name: error.type.split('#').at(-1) ?? '', message: error.message, status: error.status }
        : new CognitoError('InternalErrorException', 'An internal error occurred.', { cause: error })
  if (serviceError instanceof CognitoError && serviceError !== error)
    process.stderr.write(`cognito emulator: ${inspect(error)}\n`)
  response.setHeader('x-amzn-ErrorType', `${serviceError.name}:`)
  response.setHeader('x-amzn-ErrorMessage', serviceError.message.replaceAll(/[^\x20-\x7e]/g, '?'))
  sendJson(response, serviceError.status, { __type: serviceError.name, message: serviceError.message })
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  type = 'application/x-amz-json-1.1',
): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(JSON.stringify(body))
}

function respondToPreflight(request: IncomingMessage, response: ServerResponse): void {
  // Signed operations are not for browsers: any page open on this machine could call them.
  const headers = String(request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((header) => header.trim())
    .filter((header) => header && header.toLowerCase() !== 'authorization')
  response
    .writeHead(200, {
      'access-control-allow-methods': 'POST,GET,OPTIONS',
      'access-control-allow-headers': headers.join(','),
      'access-control-max-age': '3600',
      vary: 'origin, access-control-request-headers',
    })
    .end()
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new CognitoError('SerializationException', 'The request is not JSON', { cause: error })
  }
}
