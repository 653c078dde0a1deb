import { oauthContracts } from '#shared/contracts/integrations.ts'
import { apiFunction } from '../../platform/http/api-function.ts'
import { redeem } from './exchange.ts'
import { StateNotFound } from '../errors.ts'
import { refreshOnRequest } from './refresh.ts'
import { openStores } from '../deps.ts'
import { initiate } from './authorize.ts'

const stores = openStores()

export const handler = apiFunction('oauth', oauthContracts, {
  'oauth.handle': async ({ body, user }) => {
    const success = true as const
    switch (body.action) {
      case 'initiate': {
        const begun = await initiate(stores, user.sub, body)
        const message =
          'authUrl' in begun
            ? 'Please complete authentication in the popup window.'
            : 'Successfully connected to the integration'
        // a question to the person comes with a message of its own
        return { success, message, ...begun }
      }
      case 'exchange': {
        const { code, state, redirect_uri: redirectUri, iss } = body
        const done = await redeem(stores, user.sub, { code, state, redirectUri, iss })
        return { success, message: 'Successfully connected to the integration', ...done }
      }
      case 'callback': {
        const { code, state, mcpId, environment, redirectUri, iss } = body
        if (state === undefined) throw new StateNotFound('a callback without a state')
        const expected = { mcpId, environment }
        const done = await redeem(stores, user.sub, { code, state, redirectUri, expected, iss })
        return { success, message: 'Successfully connected to the integration', ...done }
      }
      case 'refresh': {
        const { mcp_id, provider } = await refreshOnRequest(stores, user.sub, body.mcpId)
        return { success, message: 'Successfully refreshed access token', provider, mcpId: mcp_id }
      }
    }
  },
})
