import { callApi } from '../../../lib/call-api.ts'

/** Long: the service asks the provider for the new token. */
const timeoutMs = 30_000

/** Has the service refresh the access token of a connection. @throws what `callApi` throws */
export async function refreshToken(mcpId: string): Promise<void> {
  await callApi('oauth.handle', { body: { action: 'refresh', mcpId } }, { timeoutMs })
}
