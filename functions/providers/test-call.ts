import { OutboundFailed, type OutboundHttp } from '../platform/net/outbound-http.ts'
import { fillWith, buildHeaders } from './authorization.ts'
import type { BuiltInProvider } from './built-in.ts'
import { buildEndpoints, type ProviderTenant } from './endpoints.ts'

/**
 * Proves typed values by a read at the provider, before anything is called connected.
 * @returns whether the provider took them
 * @throws OutboundFailed when it gave no usable answer
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
