import { expect, it } from 'vitest'
import type { ProviderRequest } from './http.ts'
import { refuseUndocumented } from './documented.ts'

const asked = (method: string, address: string, rest: Partial<ProviderRequest> = {}): ProviderRequest => {
  const { pathname: path, searchParams: query } = new URL(address, 'http://localhost')
  return { method, path, query, headers: {}, body: '', ...rest }
}
const json = (value: unknown, headers = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

it.each<[string, string, ProviderRequest]>([
  ['as documented', 'zoom', asked('GET', '/users/me/meetings?page_size=300')],
  ['that is not one of its calls: somebody else answers it', 'zoom', asked('GET', '/nothing?x=1')],
])('lets a request pass %s', (_, provider, request) => {
  expect(refuseUndocumented(provider, request)).toBeUndefined()
})

it.each<[string, string, ProviderRequest]>([
  ['a missing parameter', 'asana', asked('GET', '/tasks?workspace=1')],
  ['a body where there is none', 'zoom', asked('GET', '/users/me/meetings', { body: '{}' })],
  ['a parameter twice', 'asana', asked('GET', '/tasks?assignee=me&assignee=me&workspace=1')],
  [
    'a field of GraphQL that is not known',
    'linear',
    asked('POST', '', {
      ...json({ query: '{ issues { nodes { secret } } }', variables: { first: 1 } }),
      path: '',
    }),
  ],
])('refuses %s', (_, provider, request) => {
  expect(refuseUndocumented(provider, request)).toMatchObject({ status: 400 })
})
