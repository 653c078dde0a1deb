import { describe, expect, it } from 'vitest'
import { listCapabilities } from '../../functions/providers/capabilities.ts'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import { contractApi, describeMismatch } from '../support/contract-api.ts'
import { extents, sampleResponse } from '../support/sample-response.ts'
import type { ProviderRequest, ProviderResponse } from '../../infra/local/doubles/providers/http.ts'
import { refuseRequest } from '../support/provider-contracts/check.ts'
import type { Contract } from '../support/provider-contracts/contract.ts'
import { cases } from '../support/integration-cases.ts'
import { contracts } from '../support/provider-contracts/index.ts'

const { signal } = new AbortController()
const tools = Object.entries(contracts).flatMap(([provider, contract]) =>
  listCapabilities(provider).map((capability) => ({ provider, contract, capability, tool: capability.id })),
)
const operations = Object.entries(contracts).flatMap(([provider, contract]) =>
  Object.entries(contract.operations).map(([name, operation]) => ({ provider, contract, name, operation })),
)
/** Inputs of a tool: of its round trip, and of its further reads, which may ask for something else. */
const listInputs = (provider: string, tool: string): Record<string, unknown>[] => {
  const { roundTrips = {}, inputsById = {}, reads = [] } = cases[provider] ?? {}
  const further = reads.filter(([name]) => name === tool).map(([, input]) => input)
  return [{ ...roundTrips[tool]?.input, ...inputsById[tool] }, ...further]
}

/** A request by the name of an operation. */
function requestFor(name: string): ProviderRequest {
  const [method = '', path = ''] = name.split(' ')
  const graphql = method === 'QUERY' || method === 'MUTATION'
  return {
    method: graphql ? 'POST' : method,
    path: graphql ? '' : path.replace(/:\w+/g, '1'),
    query: new URLSearchParams(),
    headers: {},
    body: graphql ? JSON.stringify({ query: `${method.toLowerCase()} ${path} { x }`, variables: {} }) : '',
  }
}
/** Whether the provider's response is an error, whatever its status. */
const isError = (contract: Contract, response: ProviderResponse | undefined) =>
  response !== undefined &&
  (response.status >= 400 || contract.failure?.safeParse(JSON.parse(response.body ?? '{}')).success === true)

describe('published APIs of providers', () => {
  it('DEC-179 are recorded for every built-in provider', () => {
    expect(Object.keys(contracts).toSorted()).toEqual(builtInProviders.map(({ id }) => id).toSorted())
  })

  it.each(operations)('allow the sample responses for $provider $name', ({ operation: { response } }) => {
    const mismatches = extents.map((extent) => describeMismatch(response, sampleResponse(response, extent)))
    expect(mismatches).toEqual([undefined, undefined, undefined])
  })

  it.each(tools.flatMap((one) => extents.map((extent) => ({ ...one, extent }))))(
    'DEC-179 match what $provider $tool sends, and its response with $extent fields is read',
    async ({ provider, contract, capability, extent }) => {
      for (const input of listInputs(provider, capability.id)) {
        const { api, requests } = contractApi(provider, contract, extent)
        const result = await capability.run(api, capability.parameters.parse(input), signal)
        expect(requests.length).toBeGreaterThan(0)
        expect(JSON.stringify(result)).not.toMatch(/NaN|undefined|\[object|Invalid/)
      }
    },
  )
})

describe('the double', () => {
  it.each(tools)(
    'DEC-179 of $provider rejects an invented parameter of $tool',
    async ({ provider, contract, capability }) => {
      const { api, requests } = contractApi(provider, contract, 'full')
      for (const input of listInputs(provider, capability.id))
        await capability.run(api, capability.parameters.parse(input), signal)
      for (const request of requests) {
        const withInventedParameter = {
          ...request,
          query: new URLSearchParams([...request.query, ['invented', '1']]),
        }
        expect(refuseRequest(contract, request, undefined)).toBeUndefined()
        expect(isError(contract, refuseRequest(contract, withInventedParameter, undefined))).toBe(true)
      }
    },
  )

  it.each(Object.entries(contracts))('DEC-179 of %s rejects an unknown path', (_, contract) => {
    expect(isError(contract, refuseRequest(contract, requestFor('GET /invented'), undefined))).toBe(true)
  })

  it.each(operations.filter(({ operation }) => operation.scopes))(
    'DEC-179 of $provider rejects a token without the permission for $name',
    ({ contract, name, operation: { scopes = [] } }) => {
      const refusal = refuseRequest(contract, requestFor(name), ['nothing'])
      expect(refusal).toEqual(contract.forbidden(scopes))
      expect(isError(contract, refusal)).toBe(true)
    },
  )

  it.each(builtInProviders.flatMap(({ id, apiKey }) => (apiKey ? [[id, apiKey.testCall] as const] : [])))(
    'of %s accepts the test call with a key that has the permissions of the setup steps',
    (provider, { path, headers }) => {
      const contract = contracts[provider]
      if (!contract?.keyScopes)
        throw new Error(
          `functions/providers/${provider}/contract.ts needs \`keyScopes\`: the permissions of a key that the steps name, or []`,
        )
      const url = new URL(path, 'https://api.example')
      const request = {
        ...requestFor(`GET ${url.pathname}`),
        query: url.searchParams,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      }
      expect(refuseRequest(contract, request, contract.keyScopes)).toBeUndefined()
    },
  )
})
