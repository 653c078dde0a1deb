import { maxCustomServers } from '#shared/limits.ts'
import { AppError } from '../platform/errors.ts'

/** INT-42 */
export class CredentialsRequired extends AppError {
  readonly code = 'credentials_required'
  readonly status = 400
  readonly sentence: string

  constructor(authType: string) {
    super(`${authType} without credentials`)
    this.sentence = `${authType} authentication required. Please provide credentials.`
  }
}

/** A server that is only published as a program for people's own computers. */
export class ServerRunsLocally extends AppError {
  readonly code = 'runs_locally'
  readonly status = 422
  readonly sentence: string

  constructor(name: string) {
    super('the entry has no address')
    this.sentence = `${name} runs on your own computer and has no web address, so it cannot be connected here.`
  }
}

/** Nothing can be begun without something that the person types: the page opens the dialog for it. */
export class SetupRequired extends AppError {
  readonly code = 'setup_required'
  readonly status = 400
  readonly sentence: string

  constructor(sentence: string) {
    super('nothing to begin a sign-in with')
    this.sentence = sentence
  }
}

/** The provider's test call, or the server, did not take what was typed. */
export class CredentialsRefused extends AppError {
  readonly code = 'credentials_refused'
  readonly status = 422
  readonly sentence: string

  constructor(name: string) {
    super(`${name} refused the credentials`)
    this.sentence = `${name} did not accept these credentials. Please check them and try again.`
  }
}

/** A server has people sign in at an authorization server that is known to be another's. */
export class ForeignSignInRefused extends AppError {
  readonly code = 'foreign_sign_in'
  readonly status = 409
  readonly sentence: string

  constructor(name: string, host: string) {
    super(`${name} names an authorization server of somebody else`)
    this.sentence = `${name} asks for a sign-in at ${host}, which belongs to another service. It was not connected, and nothing was sent to it.`
  }
}

/** The user has no such integration, or it is another's. */
export class IntegrationNotFound extends AppError {
  readonly code = 'integration_not_found'
  readonly status = 404
  readonly sentence = 'This integration is not connected.'
}

export class CredentialsNotStored extends AppError {
  readonly code = 'credentials_not_stored'
  readonly status = 503
  readonly sentence = 'The credentials could not be stored safely. Please try again in a moment.'
}

export class ToolNotFound extends AppError {
  readonly code = 'tool_not_found'
  readonly status = 404
  readonly sentence = 'This tool does not exist, or it was removed.'
}

/** A user has as many custom servers as one may have. */
export class TooManyCustomServers extends AppError {
  readonly code = 'too_many_custom_servers'
  readonly status = 409
  readonly sentence = `You have ${maxCustomServers} custom tools, which is the most. Remove one that you no longer use, then add this one.`
}

/** OAUTH-23: unknown, used, expired, another's, or for something else. */
export class StateNotFound extends AppError {
  readonly code = 'oauth_state_not_found'
  readonly status = 400
  readonly sentence = 'OAuth state not found. The authentication flow might have expired.'
}

/** The provider's own refusal, in words that say what to do. */
export class ProviderRefused extends AppError {
  readonly code = 'provider_refused'
  readonly status = 400
  readonly sentence: string
  /** the provider's error word */
  readonly error: string

  constructor(provider: string, error: string) {
    // a word that is not known may say anything
    super(Object.hasOwn(reasons, error) ? error : 'a word of its own')
    this.error = error
    this.sentence = `${provider} refused: ${reasons[error] ?? error}`
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

/** OAUTH-26 */
export class UnexpectedAnswer extends AppError {
  readonly code = 'unexpected_answer'
  readonly status = 502
  readonly sentence = 'Unexpected response from authentication service'
}

/** OAUTH-21 */
export class RefreshImpossible extends AppError {
  readonly code = 'refresh_impossible'
  readonly status = 409
  readonly sentence: string

  constructor(detail: string, sentence = 'Token refresh failed') {
    super(detail)
    this.sentence = sentence
  }
}

/** Another refresher is at work, or died with its lease. */
export class RefreshBusy extends AppError {
  readonly code = 'refresh_busy'
  readonly status = 503
  readonly sentence = 'This connection is being renewed right now. Please try again in a moment.'
}
