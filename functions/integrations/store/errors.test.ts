import { saySetUp } from '#shared/sentences/set-ups.ts'
import { sayReconnect } from '#shared/sentences/reconnect.ts'
import { expect, it } from 'vitest'
import type { AppError } from '../../platform/errors.ts'
import * as errors from './errors.ts'

/** The parts of an error in the log and in the response. */
const describeError = ({ message, code, status, userMessage }: AppError) => [
  message,
  status,
  code,
  userMessage,
]

it('each refusal has its log message, its status, its code and a sentence that says what to do', () => {
  expect(
    [
      new errors.CredentialsRequired('api_key'),
      new errors.ConnectionNotAllowed({ name: 'Slack' }),
      new errors.CustomToolsNotAllowed('none'),
      new errors.ServerRunsLocally({ name: 'Paper' }),
      new errors.SetupRequired(saySetUp('setup_required.client_id')),
      new errors.CredentialsRefused({ name: 'Slack' }),
      new errors.ForeignSignInRefused({ name: 'PDF Tools', host: 'accounts.example.com' }),
      new errors.ConnectionNotFound('slack'),
      new errors.CredentialsNotStored('slack'),
      new errors.CustomToolNotFound('one'),
      new errors.TooManyCustomTools('full'),
      new errors.TooManySecrets('full'),
      new errors.StateNotFound('used'),
      new errors.OAuthError('Slack', 'invalid_grant'),
      new errors.OAuthError('Slack', 'words of the provider'),
      new errors.UnexpectedTokenResponse('status 500'),
      new errors.RefreshImpossible('no token'),
      new errors.RefreshImpossible(
        'moved',
        sayReconnect('reconnect.moved', { name: 'Slack', host: 'b.example' }),
      ),
      new errors.RefreshBusy('held'),
    ].map(describeError),
  ).toEqual([
    [
      'credentials_required',
      400,
      'credentials_required',
      'api_key authentication required. Please provide credentials.',
    ],
    [
      'connection_not_allowed.entry',
      403,
      'connection_not_allowed',
      'You may not connect Slack. Please ask your administrator.',
    ],
    [
      'none',
      403,
      'connection_not_allowed',
      'You may not add servers of your own. Please ask your administrator.',
    ],
    [
      'runs_locally',
      422,
      'runs_locally',
      'Paper runs on your own computer and has no web address, so it cannot be connected here.',
    ],
    ['setup_required', 400, 'setup_required', 'Client ID is required to continue'],
    [
      'credentials_refused.entry',
      422,
      'credentials_refused',
      'Slack did not accept these credentials. Please check them and try again.',
    ],
    [
      'foreign_sign_in',
      409,
      'foreign_sign_in',
      'PDF Tools asks for a sign-in at accounts.example.com, which belongs to another service. It was not connected, and nothing was sent to it.',
    ],
    ['slack', 404, 'integration_not_found', 'This integration is not connected.'],
    [
      'slack',
      503,
      'credentials_not_stored',
      'The credentials could not be stored safely. Please try again in a moment.',
    ],
    ['one', 404, 'tool_not_found', 'This tool does not exist, or it was removed.'],
    [
      'full',
      409,
      'too_many_custom_servers',
      'You have 20 custom tools, which is the most. Remove one that you no longer use, then add this one.',
    ],
    [
      'full',
      409,
      'too_many_secrets',
      'You have stored keys for 100 connections and tools, which is the most. Disconnect one that you no longer use, then try again.',
    ],
    [
      'used',
      400,
      'oauth_state_not_found',
      'OAuth state not found. The authentication flow might have expired.',
    ],
    [
      'invalid_grant',
      400,
      'provider_refused',
      'Slack refused: the permission has expired or was taken back. Please connect again.',
    ],
    ['unknown error code', 400, 'provider_refused', 'Slack refused: words of the provider'],
    ['status 500', 502, 'unexpected_response', 'Unexpected response from authentication service'],
    ['no token', 409, 'refresh_impossible', 'Token refresh failed'],
    ['moved', 409, 'refresh_impossible', 'Slack has moved to b.example. Connect again to use it there.'],
    [
      'held',
      503,
      'refresh_busy',
      'This connection is being renewed right now. Please try again in a moment.',
    ],
  ])
})
