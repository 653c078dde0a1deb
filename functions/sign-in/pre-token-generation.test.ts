import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import { expect, it } from 'vitest'
import { handler } from './pre-token-generation.ts'

const event = (triggerSource: PreTokenGenerationV2TriggerEvent['triggerSource']) =>
  ({
    triggerSource,
    request: { userAttributes: {}, groupConfiguration: {}, scopes: ['aws.cognito.signin.user.admin'] },
    response: { claimsAndScopeOverrideDetails: null },
  }) as unknown as PreTokenGenerationV2TriggerEvent

const accessToken = async (source: PreTokenGenerationV2TriggerEvent['triggerSource']) =>
  (await handler(event(source))).response.claimsAndScopeOverrideDetails.accessTokenGeneration

it.each([
  'TokenGeneration_Authentication',
  'TokenGeneration_HostedAuth',
  'TokenGeneration_NewPasswordChallenge',
  'TokenGeneration_AuthenticateDevice',
] as const)('a sign-in opens the product and keeps Cognito’s self-service: %s', async (source) => {
  expect(await accessToken(source)).toEqual({ scopesToAdd: ['juno/api'] })
})

it('a refreshed token opens the product, and none of Cognito’s self-service operations (H5)', async () => {
  expect(await accessToken('TokenGeneration_RefreshTokens')).toEqual({
    scopesToAdd: ['juno/api'],
    scopesToSuppress: ['aws.cognito.signin.user.admin'],
  })
})
