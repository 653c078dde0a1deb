import { expect, it } from 'vitest'
import type { ReplyState } from '#shared/reply/reply-state.ts'
import type { PromptMessage } from '../prompt/prompt.ts'
import { toPageAddress } from '#shared/page-address.ts'
import { isKnownAddress, listAddresses } from './page-addresses.ts'

it.each([
  ['see https://a.example/x?y=1#part.', ['https://a.example/x?y=1']],
  ['(https://a.example/x_(y)) and <https://b.example>', ['https://a.example/x_(y)', 'https://b.example/']],
  ['[terms](http://a.example/t)', ['http://a.example/t']],
  [
    'www.a.example/b, a.example:8080/c; HTTPS://A.EXAMPLE',
    ['https://www.a.example/b', 'https://a.example:8080/c', 'https://a.example/'],
  ],
  ['"https://a.example/x"!', ['https://a.example/x']],
  ['https://münchen.example/ä', ['https://xn--mnchen-3ya.example/%C3%A4']],
  ['mail ann@a.example, 3.5 times, ftp://a.example/x', []],
])('%j has the addresses %j', (text, expected) => {
  expect(listAddresses(text)).toEqual(expected)
})

it.each([
  ['a.example', 'https://a.example/'],
  ['https://a.example:443/%7Ex#y', 'https://a.example/%7Ex'],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['', undefined],
])('%j is the address %j', (text, expected) => {
  expect(toPageAddress(text)).toBe(expected)
})

it('finding addresses is linear', () => {
  const start = process.cpuUsage()
  for (const text of [
    'a.'.repeat(50_000),
    'https://'.repeat(12_000),
    `https://a${')'.repeat(90_000)}`,
    'a'.repeat(100_000),
  ])
    listAddresses(text)
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
})

const user = (content: string, more: Partial<PromptMessage> = {}) =>
  ({ role: 'user', content, ...more }) as PromptMessage
const call = (tool: string, url: string, result: object) =>
  ({ tool, action: '', parameters: { url }, result: { success: true, ...result } }) as never
const assistant = (...tool_calls: never[]) =>
  ({ role: 'assistant', content: 'https://said.example/', tool_calls }) as unknown as PromptMessage
const ask = (url: string, history: readonly PromptMessage[], onlyHosts = false, toolCalls: unknown[] = []) =>
  isKnownAddress(url, {
    history,
    onlyHosts,
    reply: { toolCalls } as unknown as Pick<ReplyState, 'toolCalls'>,
  })

it('typed and found addresses and those of allowed hosts are known, and nothing else', () => {
  const found = { data: { results: [{ title: '', url: 'https://found.example/a', text: '' }] } }
  const history = [
    user('read https://typed.example/a?b=1'),
    assistant(
      call('search_web', '', found),
      call('read_page', 'https://host.example/1', { host_allowed: true }),
      call('read_page', 'https://other.example/1', { data: { results: [{ url: 'https://page.example/' }] } }),
    ),
    user('https://old.example/', { imported: true }),
  ]
  expect(ask('https://typed.example/a?b=1#c', history)).toBe(true)
  expect(ask('https://found.example/a', history)).toBe(true)
  expect(ask('https://host.example/2?secret=1', history)).toBe(true)
  for (const url of [
    'https://typed.example/a?b=2',
    'http://typed.example/a?b=1',
    'https://typed.example/a',
    'https://said.example/',
    'https://other.example/1',
    'https://page.example/',
    'https://old.example/',
    'http://host.example/2',
    'https://sub.host.example/',
    'https://host.example:8443/',
    'nothing',
  ])
    expect([url, ask(url, history)]).toEqual([url, false])
  // where every page asks, allowed hosts alone do not
  expect(ask('https://typed.example/a?b=1', history, true)).toBe(false)
  expect(ask('https://found.example/a', history, true)).toBe(false)
  expect(ask('https://host.example/2', history, true)).toBe(true)
})

it('calls of the reply that is being written count', () => {
  const searched = {
    name: 'search_web',
    input: {},
    output: { results: [{ url: 'https://found.example/a' }] },
  }
  const read = { name: 'read_page', input: { url: 'https://host.example/' }, extras: { host_allowed: true } }
  expect(ask('https://found.example/a', [], false, [searched])).toBe(true)
  expect(ask('https://host.example/x', [], false, [read])).toBe(true)
})

it('what an app of a server may have put into the input field is not typed', () => {
  const history = [user('https://typed.example/'), assistant(call('show', '', { app: { mcp_id: 'm' } }))]
  expect(ask('https://typed.example/', history)).toBe(false)
})
