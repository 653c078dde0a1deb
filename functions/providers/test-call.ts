import { OutboundFailed, type OutboundHttp } from '../platform/outbound-http.ts'
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
  const { path, authorization, headers } = provider.apiKey.testCall
  const { apiBase } = endpointsOf(provider, place)
  const fill = (text: string, encode: (value: string) => string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => encode(credentials[name]?.trim() ?? ''))
  const { status } = await http.text(`${apiBase}${fill(path, encodeURIComponent)}`, {
    headers: {
      ...headers,
      accept: 'application/json',
      authorization: authorizationValue(authorization, (text) => fill(text, headerSafe)),
    },
  })
  if (status >= 200 && status < 300) return true
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return false
  throw new OutboundFailed(`${provider.name} answered ${status} to the test call`)
}

function authorizationValue(template: string, fill: (text: string) => string): string {
  const basic = /^Basic base64\((.*)\)$/.exec(template)?.[1]
  return basic === undefined ? fill(template) : `Basic ${Buffer.from(fill(basic)).toString('base64')}`
}

/** What no header may hold is left out, so that a value can end neither the header nor a quoted part of it. */
const headerSafe = (value: string) => value.replace(/[^\x21-\x7e]|["\\]/g, '')
