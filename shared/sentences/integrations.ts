import { defineSentences } from './to-sentence.ts'

/** Errors of connecting integrations. */
export const integrationSentences = {
  'credentials_required.api_key': 'api_key authentication required. Please provide credentials.',
  'credentials_required.oauth2': 'oauth2 authentication required. Please provide credentials.',
  'credentials_required.none': 'none authentication required. Please provide credentials.',
  'credentials_required.unknown': 'unknown authentication required. Please provide credentials.',
  'connection_not_allowed.own': 'You may not add servers of your own. Please ask your administrator.',
  'connection_not_allowed.entry': 'You may not connect {name}. Please ask your administrator.',
  runs_locally: '{name} runs on your own computer and has no web address, so it cannot be connected here.',
  'credentials_refused.entry': '{name} did not accept these credentials. Please check them and try again.',
  'credentials_refused.server':
    'The server did not accept these credentials. Please check them and try again.',
  'credentials_refused.missing':
    'The server needs a key or a sign-in. Please enter its API key and try again.',
  foreign_sign_in:
    '{name} asks for a sign-in at {host}, which belongs to another service. It was not connected, and nothing was sent to it.',
  issuer_mismatch:
    'The answer to this sign-in came in the name of another sign-in server than the one of {name}. It was not used, and {name} was not connected.',
  token_missing:
    "{name} gave a token of the user (authed_user), and the token of the app's bot is missing. Please add a bot scope to the app at {name}, then connect again.",
  integration_not_found: 'This integration is not connected.',
  credentials_not_stored: 'The credentials could not be stored safely. Please try again in a moment.',
  tool_not_found: 'This tool does not exist, or it was removed.',
  oauth_state_not_found: 'OAuth state not found. The authentication flow might have expired.',
  refresh_busy: 'This connection is being renewed right now. Please try again in a moment.',
  too_many_custom_servers:
    'You have {max} custom tools, which is the most. Remove one that you no longer use, then add this one.',
  too_many_secrets:
    'You have stored keys for {max} connections and tools, which is the most. Disconnect one that you no longer use, then try again.',
  sign_in_server_busy: 'The sign-in server of {name} is busy right now. Please try again in a moment.',
  'sign_in_server_busy.wait':
    'The sign-in server of {name} is busy right now. Please try again {seconds, wait}.',
  'provider_refused.invalid_client': '{name} refused: the Client ID or the Client Secret is not right.',
  'provider_refused.invalid_grant':
    '{name} refused: the permission has expired or was taken back. Please connect again.',
  'provider_refused.bad_verification_code': '{name} refused: the code has expired. Please connect again.',
  'provider_refused.unauthorized_client':
    '{name} refused: this app may not connect this way. Please check its settings.',
  'provider_refused.redirect_uri_mismatch':
    '{name} refused: the redirect URI of the app is not the one shown here.',
  'provider_refused.invalid_scope':
    '{name} refused: the app does not have the permissions that are asked for.',
  'provider_refused.other': '{name} refused: {error}',
  unexpected_response: 'Unexpected response from authentication service',
  refresh_impossible: 'Token refresh failed',
  'refresh_impossible.reconnect': '{why}',
} as const

export const sayIntegration = defineSentences(integrationSentences)
