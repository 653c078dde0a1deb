import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { json, type ProviderRequest } from '../../infra/local/doubles/providers/http.ts'
import { checkResponse, refuseRequest } from '../support/provider-contracts/check.ts'
import {
  type Contract,
  optionalIntUpTo,
  strictObject,
  nonEmptyText,
} from '../support/provider-contracts/contract.ts'

const contract: Contract = {
  sources: [{ name: 'a page', url: 'https://api.example', version: '1', checkedOn: '2026-11-21' }],
  api: { version: '1', supportedUntil: null, source: 'https://api.example' },
  operations: {
    'GET /rows/:id': {
      scopes: ['read', 'admin'],
      headers: z.looseObject({ 'api-version': z.literal('1') }),
      query: strictObject({ limit: optionalIntUpTo(10) }),
      response: z.object({ id: nonEmptyText, note: nonEmptyText.nullable().optional() }),
    },
    'POST /rows': { body: strictObject({ name: nonEmptyText }), response: z.object({}) },
    'POST /forms': { form: strictObject({ name: nonEmptyText }), response: z.object({}) },
    'QUERY Rows': {
      body: z.looseObject({ variables: strictObject({ first: z.number() }) }),
      response: z.object({}),
    },
  },
  failure: z.object({ failed: z.literal(true) }),
  invalid: (message) => json(400, { message }),
  forbidden: (scopes) => json(403, { scopes }),
}
const buildRequest = (
  method: string,
  address: string,
  rest: Partial<ProviderRequest> = {},
): ProviderRequest => {
  const { pathname, searchParams: query } = new URL(address, 'http://localhost')
  return { method, path: address === '' ? '' : pathname, query, headers: {}, body: '', ...rest }
}
const versionHeader = { headers: { 'api-version': '1' } }
const sendJson = (value: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const graphql = (query: string, variables: object) => buildRequest('POST', '', sendJson({ query, variables }))

it.each<[string, ProviderRequest, string[] | undefined]>([
  ['everything optional left out', buildRequest('GET', '/rows/1', versionHeader), undefined],
  ['one of the permissions', buildRequest('GET', '/rows/1?limit=10', versionHeader), ['admin']],
  ['a JSON body', buildRequest('POST', '/rows', sendJson({ name: 'A' })), undefined],
  ['a query by its name', graphql('query Rows($first: Int!) { rows }', { first: 1 }), undefined],
])('accepts %s', (_, request, scopes) => {
  expect(refuseRequest(contract, request, scopes)).toBeUndefined()
})

it.each<[string, number, ProviderRequest, string[] | undefined]>([
  ['an unknown path', 404, buildRequest('GET', '/columns', versionHeader), undefined],
  ['an unknown method', 404, buildRequest('DELETE', '/rows/1', versionHeader), undefined],
  ['an unknown query by its name', 404, graphql('query Columns { columns }', {}), undefined],
  ['a missing permission', 403, buildRequest('GET', '/rows/1', versionHeader), ['write']],
  ['an unknown parameter', 400, buildRequest('GET', '/rows/1?max=5', versionHeader), undefined],
  ['a parameter of the wrong type', 400, buildRequest('GET', '/rows/1?limit=many', versionHeader), undefined],
  ['a parameter twice', 400, buildRequest('GET', '/rows/1?limit=1&limit=2', versionHeader), undefined],
  ['a missing version header', 400, buildRequest('GET', '/rows/1'), undefined],
  [
    'a body where none is expected',
    400,
    buildRequest('GET', '/rows/1', { ...versionHeader, body: '{}' }),
    undefined,
  ],
  ['an unknown field', 400, buildRequest('POST', '/rows', sendJson({ name: 'A', size: 1 })), undefined],
  ['a missing field', 400, buildRequest('POST', '/rows', sendJson({})), undefined],
  ['a body that is no JSON', 400, buildRequest('POST', '/rows', { ...sendJson({}), body: '{' }), undefined],
  ['JSON instead of a form', 400, buildRequest('POST', '/forms', sendJson({ name: 'A' })), undefined],
  ['an unknown variable', 400, graphql('query Rows { rows }', { first: 1, last: 1 }), undefined],
])('rejects %s with %i', (_, status, request, scopes) => {
  expect(refuseRequest(contract, request, scopes)).toMatchObject({ status })
})

describe('a response', () => {
  const request = buildRequest('GET', '/rows/1', versionHeader)
  it.each([{ id: 'a' }, { id: 'a', note: null, more: true }, { failed: true }])('may be %j', (body) => {
    expect(() => checkResponse(contract, request, json(200, body))).not.toThrow()
  })
  it('may be any error', () => {
    expect(() => checkResponse(contract, request, json(404, {}))).not.toThrow()
  })
  it.each([{}, { id: 1 }, { id: 'a', note: 5 }, []])('must not be %j', (body) => {
    expect(() => checkResponse(contract, request, json(200, body))).toThrow('GET /rows/1')
  })
})
