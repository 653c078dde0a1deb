import { expect, it, vi } from 'vitest'
import { openModelServer } from './model-server.ts'

function record() {
  const sent: { url: string; headers: Record<string, string>; redirect: unknown }[] = []
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    sent.push({
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      redirect: init?.redirect,
    })
    return new Response('{}')
  })
  return sent
}

it('each request keeps the query of the address, and has the headers of the operator', async () => {
  const sent = record()
  const server = openModelServer({
    address: 'https://gw.example.com/openai/deployments/d?api-version=1&a=2',
    readHeaders: async () => ({ 'x-portkey-provider': 'openai', authorization: 'Basic x' }),
  })
  expect(server).toMatchObject({ baseUrl: 'https://gw.example.com/openai/deployments/d', api: undefined })
  await server.fetch(`${server.baseUrl}/chat/completions?a=3`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', accept: 'a' },
  })
  expect(sent).toEqual([
    {
      url: 'https://gw.example.com/openai/deployments/d/chat/completions?a=3&api-version=1',
      headers: { accept: 'a', authorization: 'Basic x', 'x-portkey-provider': 'openai' },
      redirect: 'error',
    },
  ])
})

it('a plain address changes nothing', async () => {
  const sent = record()
  await openModelServer({ address: 'https://a.example/v1' }).fetch('https://a.example/v1/models')
  expect(sent).toEqual([{ url: 'https://a.example/v1/models', headers: {}, redirect: undefined }])
  expect(openModelServer({ address: undefined }).baseUrl).toBeUndefined()
})
