import { describe, expect, it } from 'vitest'
import { capabilityCases } from '../../../../../test/support/capability-cases.ts'
import { contractApi, describeMismatch } from '../../../../../test/support/contract-api.ts'
import { extents, sampleResponse } from '../../../../../test/support/sample-response.ts'
import { contracts } from './index.ts'
import { refuseRequest } from './check.ts'
import { findProvider } from '../../../../../functions/providers/built-in.ts'
import { listCapabilities } from '../../../../../functions/capabilities/catalogue.ts'

const { signal } = new AbortController()
const tools = Object.entries(contracts).flatMap(([provider, contract]) =>
  listCapabilities(provider).map((capability) => ({ provider, contract, capability, tool: capability.id })),
)
/** By id, where a response with required fields alone has no title to search for. */
const byId: Readonly<Record<string, object>> = {
  'notion read_page': { page: '11111111222243338444555555555555' },
  'notion create_page': { parent: '11111111-2222-4333-8444-555555555555' },
}
const inputFor = (provider: string, tool: string) => ({
  ...capabilityCases[provider]?.[tool]?.input,
  ...byId[`${provider} ${tool}`],
})

describe('what providers publish', () => {
  it.each(
    Object.entries(contracts).flatMap(([provider, { operations }]) =>
      Object.entries(operations).map(([name, { response }]) => ({ provider, name, response })),
    ),
  )('a response of $provider $name can be generated', ({ response }) => {
    if (!response) return
    for (const extent of extents)
      expect(describeMismatch(response, sampleResponse(response, extent))).toBeUndefined()
  })

  it.each(tools.flatMap((one) => extents.map((extent) => ({ ...one, extent }))))(
    'DEC-179 $provider $tool sends what is published, and reads a response with $extent fields',
    async ({ provider, contract, capability, extent }) => {
      const { api, requests } = contractApi(provider, contract, extent)
      const input = capability.parameters.parse(inputFor(provider, capability.id))
      const result = JSON.stringify(await capability.run(api, input, signal))
      expect(requests.length).toBeGreaterThan(0)
      expect(result).not.toMatch(/NaN|undefined|\[object|Invalid/)
    },
  )

  it.each(tools)(
    'DEC-179 the double of $provider rejects an invented parameter of $tool',
    async ({ provider, contract, capability }) => {
      const { api, requests } = contractApi(provider, contract, 'full')
      await capability.run(api, capability.parameters.parse(inputFor(provider, capability.id)), signal)
      for (const asked of requests) {
        const invented = { ...asked, query: new URLSearchParams([...asked.query, ['invented', '1']]) }
        expect(refuseRequest(contract, asked, undefined)).toBeUndefined()
        const refused = refuseRequest(contract, invented, undefined)
        expect(
          contract.failure?.safeParse(JSON.parse(refused?.body ?? '{}')).success ||
            (refused?.status ?? 200) >= 400,
        ).toBe(true)
      }
    },
  )

  it.each([
    // the permissions that the setup steps name
    ['stripe', ['rak_payment_intent_read', 'rak_customer_read']],
    ['airtable', ['data.records:read', 'data.records:write', 'schema.bases:read']],
    ['trello', ['read', 'write']],
    ['notion', []],
    ['twilio', []],
  ])('the test call for a key of %s is one that the key may make', (provider, scopes) => {
    const known = findProvider(provider)
    const contract = contracts[provider]
    if (!known?.apiKey || !contract) throw new Error(provider)
    const { path, headers } = known.apiKey.testCall
    const url = new URL(path, 'https://api.example')
    const asked = {
      method: 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: '',
    }
    expect(refuseRequest(contract, asked, scopes)).toBeUndefined()
  })

  it.each(Object.entries(contracts))('DEC-179 the double of %s rejects an unknown path', (_, contract) => {
    const asked = { method: 'GET', path: '/invented', query: new URLSearchParams(), headers: {}, body: '' }
    const refused = refuseRequest(contract, asked, undefined)
    expect(refused).toBeDefined()
  })

  it.each(Object.entries(contracts))(
    'DEC-179 the double of %s rejects a token without the permission',
    (_, contract) => {
      for (const [name, { scopes }] of Object.entries(contract.operations)) {
        if (!scopes) continue
        const [method = '', path = ''] = /^(?:QUERY|MUTATION)/.test(name) ? ['POST', ''] : name.split(' ')
        const query = `${name.split(' ')[0]?.toLowerCase()} ${name.split(' ')[1]} { x }`
        const body = path === '' ? JSON.stringify({ query, variables: {} }) : ''
        const asked = {
          method,
          path: path.replace(/:\w+/g, '1'),
          query: new URLSearchParams(),
          headers: {},
          body,
        }
        expect(refuseRequest(contract, asked, ['nothing'])).toEqual(contract.forbidden(scopes))
      }
    },
  )
})
