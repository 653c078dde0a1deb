import { expect, it } from 'vitest'
import { parseModelAddress } from './model-address.ts'

it.each([
  ['https://api.example.com/v1', 'https://api.example.com/v1', '', undefined],
  ['https://api.example.com/v1//', 'https://api.example.com/v1', '', undefined],
  ['https://api.example.com', 'https://api.example.com', '', undefined],
  ['http://127.0.0.1:1234/v1/chat/completions', 'http://127.0.0.1:1234/v1', '', 'chat'],
  ['https://api.example.com/v1/responses/', 'https://api.example.com/v1', '', 'responses'],
  ['https://api.example.com/v1/messages#x', 'https://api.example.com/v1', '', 'messages'],
  ['https://api.example.com/v1/models', 'https://api.example.com/v1', '', undefined],
  // Azure's own address of a deployment
  [
    'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
    'https://x.openai.azure.com/openai/deployments/d',
    'api-version=2024-10-21',
    'chat',
  ],
  ['https://gw.example.com/a?k=a%20b&k=c', 'https://gw.example.com/a', 'k=a+b&k=c', undefined],
])('%s is %s, with the query "%s" and the API %s', (address, baseUrl, query, api) => {
  const parsed = parseModelAddress(address)
  expect([parsed.baseUrl, parsed.query.toString(), parsed.api]).toEqual([baseUrl, query, api])
})
