import { oauthContracts } from '#shared/contracts/integrations.ts'
import { apiFunction } from '../../platform/http/api-function.ts'
import { storeConnected } from '../connect.ts'
import { exchangeCode } from './exchange.ts'
import { StateNotFound } from '../store/errors.ts'
import { refreshOnRequest } from '../credentials/refresh.ts'
import { type IntegrationDeps, openUserDeps } from '../deps.ts'
import { initiate, type InitiateResult, startWithoutRefused } from './authorize.ts'

const openCallDeps = openUserDeps()

/** Connects a server that turned out to need no sign-in. @returns the answer to the request for one */
async function answer(deps: IntegrationDeps, sub: string, result: InitiateResult) {
  if (!('open' in result)) return result
  const { target, ...open } = result.open
  await storeConnected(deps, sub, target, { ...open, url: target.remoteUrl, authType: 'none' })
  return { provider: result.provider, mcpId: target.mcpId }
}

export const handler = apiFunction('oauth', oauthContracts, {
  'oauth.handle': async ({ body, user }) => {
    const success = true as const
    const deps = await openCallDeps(user)
    switch (body.action) {
      case 'initiate': {
        const result = await answer(deps, user.sub, await initiate(deps, user.sub, body))
        const message =
          'authUrl' in result
            ? 'Please complete authentication in the popup window.'
            : 'Successfully connected to the integration'
        // `foreignSignIn` and `manualRegistration` bring their own message
        return { success, message, ...result }
      }
      case 'refused': {
        const { state, redirect_uri: redirectUri, error, error_description: description = '' } = body
        const input = { state, redirectUri, error, description }
        const again = await startWithoutRefused(deps, user.sub, input)
        const result = again && (await answer(deps, user.sub, again))
        return { success, message: 'The sign-in was refused.', provider: '', ...result }
      }
      case 'exchange': {
        const { code, state, redirect_uri: redirectUri, iss } = body
        const result = await exchangeCode(deps, user.sub, { code, state, redirectUri, iss })
        return { success, message: 'Successfully connected to the integration', ...result }
      }
      case 'callback': {
        const { code, state, mcpId, environment, redirectUri, iss } = body
        if (state === undefined) throw new StateNotFound('a callback without a state')
        const expected = { mcpId, environment }
        const result = await exchangeCode(deps, user.sub, { code, state, redirectUri, expected, iss })
        return { success, message: 'Successfully connected to the integration', ...result }
      }
      case 'refresh': {
        const { mcp_id, provider } = await refreshOnRequest(deps, user.sub, body.mcpId)
        return { success, message: 'Successfully refreshed access token', provider, mcpId: mcp_id }
      }
    }
  },
})
