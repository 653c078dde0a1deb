import type { LocalStack } from './local-stack.ts'
import { decide } from './provider-consent.ts'
import type { StackUser } from './stack-user.ts'

/**
 * Connects an integration by OAuth as the page does it, with one click of the person at the provider.
 * @param clientId its words say how the stand-in behaves
 */
export async function connectProvider(
  stack: LocalStack,
  user: StackUser,
  mcpId: string,
  clientId = 'demo',
): Promise<void> {
  const redirectUri = `${stack.origin}/oauth/callback`
  const { authUrl = '' } = await user.call('oauth.handle', {
    body: { action: 'initiate', mcpId, clientId, environment: 'production', redirectUri },
  })
  const back = await decide(authUrl, 'allow')
  await user.call('oauth.handle', {
    body: {
      action: 'exchange',
      code: back.get('code') ?? '',
      state: back.get('state') ?? '',
      redirect_uri: redirectUri,
    },
  })
}
