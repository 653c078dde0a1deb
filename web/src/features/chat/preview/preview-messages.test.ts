import { expect, it } from 'vitest'
import { parsePreviewMessage } from './preview-messages.ts'

const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', method, ...(params && { params }) })

it.each([
  [rpc('preview/pong'), { kind: 'pong' }],
  [rpc('ui/notifications/sandbox-proxy-ready'), { kind: 'ready' }],
  [
    rpc('preview/notice', { hosts: ['cdn.example.org', 'a:8080', '<b>', 'Call us on +1', 5] }),
    { kind: 'notice', notice: { hosts: ['cdn.example.org', 'a:8080'], isLeaving: false } },
  ],
  [
    rpc('preview/notice', { hosts: 'x', leaving: true }),
    { kind: 'notice', notice: { hosts: [], isLeaving: true } },
  ],
  [rpc('preview/storage', { local: { a: '1' } }), { kind: 'storage', storage: { local: { a: '1' } } }],
  [rpc('preview/restart', { answers: [true, null, 'x'] }), { kind: 'restart', answers: [true, null, 'x'] }],
  [rpc('preview/restart', { answers: [{}] }), undefined],
  [rpc('preview/restart', { answers: Array.from({ length: 101 }, () => true) }), undefined],
  [rpc('tools/call', { name: 'x' }), undefined],
  [{ method: 'preview/pong' }, undefined],
  ['text', undefined],
])('reads %j', (data, message) => {
  expect(parsePreviewMessage(data)).toEqual(message)
})
