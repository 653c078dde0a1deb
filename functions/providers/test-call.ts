import { OutboundFailed, type OutboundHttp } from '../platform/net/outbound-http.ts'
import { fillWith, buildHeaders } from './authorization.ts'
import type { BuiltInProvider } from './built-in.ts'
import { buildEndpoints, type ProviderTenant } from './endpoints.ts'

/**
 * Verifies credentials with a read request to the provider.
 * @returns whether the provider accepted them
 * @throws OutboundFailed if there was no usable response
 */
export async function acceptsCredentials(
  http: Pick<OutboundHttp, 'text'>,
  provider: BuiltInProvider,
  credentials: Readonly<Record<string, string>>,
  tenant: ProviderTenant,
): Promise<boolean> {
  if (!provider.apiKey) return true
  const path = fillWith(credentials, encodeURIComponent)(provider.apiKey.testCall.path)
  const { status } = await http.text(`${buildEndpoints(provider, tenant).apiBase}${path}`, {
    headers: { accept: 'application/json', ...buildHeaders(provider, credentials) },
  })
  if (status >= 200 && status < 300) return true
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return false
  throw new OutboundFailed(`${provider.name} answered ${status} to the test call`)
}
