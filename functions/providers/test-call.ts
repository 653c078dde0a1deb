import { OutboundFailed, type OutboundHttp } from '../platform/net/outbound-http.ts'
import { fillWith, typedHeaders } from './authorization.ts'
import type { BuiltInProvider } from './built-in.ts'
import { endpointsOf, type ProviderPlace } from './endpoints.ts'

/**
 * Proves typed values by a read at the provider, before anything is called connected.
 * @returns whether the provider took them
 * @throws OutboundFailed when it gave no usable answer
 */
export async function acceptsCredentials(
  http: Pick<OutboundHttp, 'text'>,
  provider: BuiltInProvider,
  credentials: Readonly<Record<string, string>>,
  place: ProviderPlace,
): Promise<boolean> {
  if (!provider.apiKey) return true
  const path = fillWith(credentials, encodeURIComponent)(provider.apiKey.testCall.path)
  const { status } = await http.text(`${endpointsOf(provider, place).apiBase}${path}`, {
    headers: { accept: 'application/json', ...typedHeaders(provider, credentials) },
  })
  if (status >= 200 && status < 300) return true
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return false
  throw new OutboundFailed(`${provider.name} answered ${status} to the test call`)
}
