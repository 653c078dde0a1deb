import type { LocalStack } from './local-stack.ts'
import { decideConsent, buildExchange } from './provider-consent.ts'
import { parametersFor, credentialsFor } from './provider-values.ts'
import type { StackUser } from './stack-user.ts'

/**
 * Connects a built-in integration as the page does: with credentials, or by OAuth with one click at the provider.
 * @param clientId its words select the double's behaviour
 */
export async function connectProvider(
  stack: Pick<LocalStack, 'origin'>,
  user: StackUser,
  mcpId: string,
  clientId = 'demo',
): Promise<void> {
  const parameters = parametersFor(mcpId)
  const credentials = credentialsFor(mcpId)
  if (Object.keys(credentials).length > 0) {
    await user.call('integrations.connect', {
      params: { mcpId },
      body: { environment: 'production', credentials, parameters },
    })
    return
  }
  const redirectUri = `${stack.origin}/oauth/callback`
  const { authUrl = '' } = await user.call('oauth.handle', {
    body: { action: 'initiate', mcpId, clientId, environment: 'production', redirectUri, parameters },
  })
  const back = await decideConsent(authUrl, 'allow')
  await user.call('oauth.handle', { body: buildExchange(back) })
}
