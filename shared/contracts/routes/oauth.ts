import { oauthAnswer, oauthRequest } from '#shared/contracts/integrations.ts'

/** What the routes of the function 'oauth' take and answer. */
export const oauthContracts = {
  'oauth.handle': { request: oauthRequest, response: oauthAnswer },
} as const
