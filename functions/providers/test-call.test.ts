import { expect, it } from 'vitest'
import type { OutboundRequest } from '../platform/net/outbound-http.ts'
import { builtInProviders, findProvider } from './built-in.ts'
import { fillWith, buildHeaders } from './authorization.ts'
import { acceptsCredentials } from './test-call.ts'

const production = { environment: 'production' as const, parameters: {} }

/** Asks a provider whose API answers with this status. */
async function sendTestCall(id: string, credentials: Record<string, string>, status = 200) {
  const provider = findProvider(id)
  if (!provider) throw new Error(id)
  const requests: { address: string; request: OutboundRequest | undefined }[] = []
  const http = {
    text(address: string | URL, request?: OutboundRequest) {
      requests.push({ address: String(address), request })
      return Promise.resolve({ status, headers: new Headers(), text: '' })
    },
  }
  return { isAccepted: await acceptsCredentials(http, provider, credentials, production), requests }
}

it.each<[string, Record<string, string>, string, Record<string, string>]>([
  [
    'notion',
    { apiKey: 'secret_x' },
    'https://api.notion.com/v1/users/me',
    { 'Notion-Version': '2022-06-28', authorization: 'Bearer secret_x' },
  ],
  [
    'trello',
    { apiKey: 'k', apiToken: 't' },
    'https://api.trello.com/1/members/me',
    { authorization: 'OAuth oauth_consumer_key="k", oauth_token="t"' },
  ],
  [
    'stripe',
    { secretKey: 'sk' },
    'https://api.stripe.com/v1/customers?limit=1',
    { authorization: 'Bearer sk' },
  ],
  [
    'airtable',
    { accessToken: 'pat' },
    'https://api.airtable.com/v0/meta/whoami',
    { authorization: 'Bearer pat' },
  ],
  [
    'twilio',
    { accountSid: 'AC/1', apiKeySid: 'SK', apiKeySecret: 'secret' },
    'https://api.twilio.com/2010-04-01/Accounts/AC%2F1/Messages.json?PageSize=1',
    { authorization: `Basic ${Buffer.from('SK:secret').toString('base64')}` },
  ],
])('%s is called with the entered credentials', async (id, credentials, address, headers) => {
  const { isAccepted, requests } = await sendTestCall(id, credentials)
  expect(isAccepted).toBe(true)
  expect(requests).toEqual([{ address, request: { headers: { accept: 'application/json', ...headers } } }])
})

it.each([
  [200, true],
  [299, true],
  [400, false],
  [401, false],
  [403, false],
  [499, false],
])('the status %i means accepted: %s', async (status, isAccepted) => {
  expect((await sendTestCall('stripe', { secretKey: 'sk' }, status)).isAccepted).toBe(isAccepted)
})

it.each([199, 300, 302, 408, 429, 500, 503])(
  'the status %i says nothing about the credentials',
  async (status) => {
    await expect(sendTestCall('stripe', { secretKey: 'sk' }, status)).rejects.toThrow(
      `Stripe answered ${status} to the test call`,
    )
  },
)

it('a provider without keys is not called', async () => {
  const { isAccepted, requests } = await sendTestCall('slack', {})
  expect(isAccepted).toBe(true)
  expect(requests).toEqual([])
  const slack = builtInProviders.find(({ id }) => id === 'slack')
  expect(slack && buildHeaders(slack, { apiKey: 'x' })).toEqual({})
})

it('a key that is copied with the header’s name or its scheme is sent once', async () => {
  for (const secretKey of ['sk', 'Bearer sk', 'Authorization: bearer  sk']) {
    const { requests } = await sendTestCall('stripe', { secretKey })
    expect(requests[0]?.request?.headers?.['authorization']).toBe('Bearer sk')
  }
})

it('entered values cannot end a header or a quoted part of it', async () => {
  const { requests } = await sendTestCall('trello', { apiKey: ' a"b\\c\r\nd é ', apiToken: 't' })
  expect(requests[0]?.request?.headers?.['authorization']).toBe(
    'OAuth oauth_consumer_key="abcd", oauth_token="t"',
  )
})

it('a placeholder without a value stays empty, and values are trimmed', () => {
  const fill = fillWith({ one: ' 1 ' }, (value) => `<${value}>`)
  expect(fill('/{one}/{two}/{three-four}')).toBe('/<1>/<>/{three-four}')
})
