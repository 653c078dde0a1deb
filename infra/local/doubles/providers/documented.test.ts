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
const user = { headers: { 'user-agent': 'juno' } }

it.each<[string, string, ProviderRequest]>([
  ['as documented', 'gmail', asked('GET', '/users/me/messages?maxResults=500')],
  ['with a JSON body', 'trello', asked('POST', '/cards', json({ idList: 'l1' }))],
  ['with the headers that it has to have', 'github', asked('GET', '/user/repos?per_page=100', user)],
  ['that is not one of its calls: somebody else answers it', 'gmail', asked('GET', '/nothing?x=1')],
])('lets a request pass %s', (_, provider, request) => {
  expect(refuseUndocumented(provider, request)).toBeUndefined()
})

it.each<[string, string, ProviderRequest]>([
  ['a parameter that is not known', 'gmail', asked('GET', '/users/me/messages?max=5')],
  ['more than there are on a page', 'gmail', asked('GET', '/users/me/messages?maxResults=501')],
  ['nothing on a page', 'gmail', asked('GET', '/users/me/messages?maxResults=0')],
  ['a body in the wrong form', 'stripe', asked('POST', '/customers', json({ name: 'Ann' }))],
  ['a body where there is none', 'gmail', asked('GET', '/users/me/messages', { body: '{}' })],
  ['a body that is no JSON', 'trello', asked('POST', '/cards', { ...json({}), body: '{' })],
  ['a field that is not known', 'trello', asked('POST', '/cards', json({ idList: 'l1', title: 'A' }))],
  ['a missing field', 'trello', asked('POST', '/cards', json({ name: 'A' }))],
  ['a missing header', 'github', asked('GET', '/user/repos')],
])('refuses %s', (_, provider, request) => {
  expect(refuseUndocumented(provider, request)).toMatchObject({ status: 400 })
})
