import { formatWait } from '#shared/retry-after.ts'
import { maxCustomServers } from '#shared/limits.ts'
import { maxStoredSecrets } from '../../platform/limits.ts'
import { AppError, defineErrors } from '../../platform/errors.ts'

export const {
  CredentialsRequired,
  ConnectionNotAllowed,
  ServerRunsLocally,
  SetupRequired,
  CredentialsRefused,
  ForeignSignInRefused,
  IssuerMismatch,
  MissingToken,
  CustomToolKeyRequired,
  ConnectionNotFound,
  CredentialsNotStored,
  CustomToolNotFound,
  StateNotFound,
  RefreshBusy,
  TooManyCustomTools,
  TooManySecrets,
} = defineErrors({
  CredentialsRequired: [
    400,
    'credentials_required',
    (authType: string) => `${authType} authentication required. Please provide credentials.`,
  ],
  /** The groups of the user do not allow this kind of connection. The name is the entry's; none for a server of the user's own. */
  ConnectionNotAllowed: [
    403,
    'connection_not_allowed',
    (name: string | undefined) =>
      `You may not ${name === undefined ? 'add servers of your own' : `connect ${name}`}. Please ask your administrator.`,
  ],
  /** The server is published only as a program that runs on the user's computer. */
  ServerRunsLocally: [
    422,
    'runs_locally',
    (name: string) =>
      `${name} runs on your own computer and has no web address, so it cannot be connected here.`,
  ],
  /** The user must enter credentials first; the page opens the dialog for it. */
  SetupRequired: [400, 'setup_required', (message: string) => message],
  /** The provider or the MCP server rejected the credentials. */
  CredentialsRefused: [
    422,
    'credentials_refused',
    (name: string) => `${name} did not accept these credentials. Please check them and try again.`,
  ],
  /** The server names an authorization server that is known to belong to another service. */
  ForeignSignInRefused: [
    409,
    'foreign_sign_in',
    ({ name, host }: { name: string; host: string }) =>
      `${name} asks for a sign-in at ${host}, which belongs to another service. It was not connected, and nothing was sent to it.`,
  ],
  /** The response names another issuer than the one the user was sent to (RFC 9207): a second try would end the same way. */
  IssuerMismatch: [
    400,
    'issuer_mismatch',
    (name: string) =>
      `The answer to this sign-in came in the name of another sign-in server than the one of ${name}. It was not used, and ${name} was not connected.`,
  ],
  /** The token response has a token for the user, which the provider's tools do not take, and none for the app. */
  MissingToken: [
    502,
    'token_missing',
    (name: string) =>
      `${name} gave a token of the user (authed_user), and the token of the app's bot is missing. Please add a bot scope to the app at ${name}, then connect again.`,
  ],
  /** The server of a custom tool demands credentials, and none were entered. */
  CustomToolKeyRequired: [
    422,
    'credentials_refused',
    'The server needs a key or a sign-in. Please enter its API key and try again.',
  ],
  /** The user has no such connection. */
  ConnectionNotFound: [404, 'integration_not_found', 'This integration is not connected.'],
  CredentialsNotStored: [
    503,
    'credentials_not_stored',
    'The credentials could not be stored safely. Please try again in a moment.',
  ],
  CustomToolNotFound: [404, 'tool_not_found', 'This tool does not exist, or it was removed.'],
  /** The state is unknown, used, expired, or belongs to another user or flow. */
  StateNotFound: [
    400,
    'oauth_state_not_found',
    'OAuth state not found. The authentication flow might have expired.',
  ],
  /** Another refresh is running, or its process died with the lease. */
  RefreshBusy: [
    503,
    'refresh_busy',
    'This connection is being renewed right now. Please try again in a moment.',
  ],
  TooManyCustomTools: [
    409,
    'too_many_custom_servers',
    `You have ${maxCustomServers} custom tools, which is the most. Remove one that you no longer use, then add this one.`,
  ],
  /** Each secret of the vault costs the operator something each month. */
  TooManySecrets: [
    409,
    'too_many_secrets',
    `You have stored keys for ${maxStoredSecrets} connections and tools, which is the most. Disconnect one that you no longer use, then try again.`,
  ],
})

/** The authorization server is busy or has a fault of its own: the same request may succeed later. */
export class SignInServerBusy extends AppError {
  readonly code = 'sign_in_server_busy'
  readonly status = 503
  readonly userMessage: string
  override readonly retryAfterSeconds: number | undefined

  constructor(name: string, detail: string, retryAfterSeconds: number | undefined) {
    super(detail)
    this.retryAfterSeconds = retryAfterSeconds
    this.userMessage = `The sign-in server of ${name} is busy right now. Please try again ${formatWait(retryAfterSeconds)}.`
  }
}

/** The authorization server's error response (RFC 6749 section 5.2), with a sentence that says what to do. */
export class OAuthError extends AppError {
  readonly code = 'provider_refused'
  readonly status = 400
  readonly userMessage: string
  /** the error code */
  readonly error: string

  constructor(provider: string, error: string) {
    // an unknown code is untrusted text
    super(Object.hasOwn(reasons, error) ? error : 'unknown error code')
    this.error = error
    this.userMessage = `${provider} refused: ${reasons[error] ?? error}`
  }
}

const reasons: Record<string, string> = {
  invalid_client: 'the Client ID or the Client Secret is not right.',
  invalid_grant: 'the permission has expired or was taken back. Please connect again.',
  bad_verification_code: 'the code has expired. Please connect again.',
  unauthorized_client: 'this app may not connect this way. Please check its settings.',
  redirect_uri_mismatch: 'the redirect URI of the app is not the one shown here.',
  invalid_scope: 'the app does not have the permissions that are asked for.',
}

/** The token endpoint did not send a valid response. */
export class UnexpectedTokenResponse extends AppError {
  readonly code = 'unexpected_response'
  readonly status = 502
  readonly userMessage = 'Unexpected response from authentication service'
  /** whether its status says that the request was refused */
  readonly isRefusal: boolean

  constructor(detail: string, { isRefusal = false }: { isRefusal?: boolean } = {}) {
    super(detail)
    this.isRefusal = isRefusal
  }
}

/** The tokens cannot be refreshed; the user has to connect again. */
export class RefreshImpossible extends AppError {
  readonly code = 'refresh_impossible'
  readonly status = 409
  readonly userMessage: string

  constructor(detail: string, message = 'Token refresh failed') {
    super(detail)
    this.userMessage = message
  }
}
