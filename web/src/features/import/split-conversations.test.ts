import { describe, expect, it } from 'vitest'
import { splitConversations } from './split-conversations.ts'

const encoder = new TextEncoder()

/** @returns the elements' JSON, or their kinds */
async function split(json: string | Uint8Array, { chunkBytes = 1_000_000, maxBytes = 1_000 } = {}) {
  const bytes = typeof json === 'string' ? encoder.encode(json) : json
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes)
  }
  const found: unknown[] = []
  for await (const element of splitConversations(chunks(), maxBytes))
    found.push(element.kind === 'object' ? JSON.parse(new TextDecoder().decode(element.bytes)) : element.kind)
  return found
}

const objects = [{ a: 'ü"\\' }, { b: [1, { c: '}]{["' }] }, { d: {} }]

describe.each([1, 2, 3, 7, 1_000])('in chunks of %i bytes', (chunkBytes) => {
  it.each([
    ['a list', JSON.stringify(objects), objects],
    ['a list with spaces', JSON.stringify(objects, null, 2), objects],
    ['a byte order mark', `\ufeff${JSON.stringify(objects)}`, objects],
    ['an empty list', ' [ ] ', []],
    [
      'an object with the list',
      JSON.stringify({ account: { x: [{}] }, conversations: objects, more: [{}] }),
      objects,
    ],
    [
      'one conversation',
      JSON.stringify({ mapping: { conversations: [1] }, a: 'conversations' }),
      [{ mapping: { conversations: [1] }, a: 'conversations' }],
    ],
    [
      'values that are no objects',
      '[1, "x,y", null, {"a":1}, [[{}]], {"b":2}]',
      ['unreadable', 'unreadable', 'unreadable', { a: 1 }, 'unreadable', { b: 2 }],
    ],
    ['an end in the middle', '[{"a":1},{"b":', [{ a: 1 }, 'unreadable']],
    ['an end after a comma', '[{"a":1},', [{ a: 1 }, 'unreadable']],
    ['text', 'Hello [{"a":1}]', ['unreadable']],
    ['a string', '"Hello"', ['unreadable']],
    ['a bracket too many', '] [{"a":1}]', ['unreadable']],
    ['nothing', '', ['unreadable']],
  ])('reads %s', async (_, json, expected) => {
    expect(await split(json, { chunkBytes })).toEqual(expected)
  })

  it('skips a conversation that is too long, without keeping it', async () => {
    const json = JSON.stringify([{ a: 1 }, { long: 'x'.repeat(5_000) }, { b: 2 }])
    expect(await split(json, { chunkBytes })).toEqual([{ a: 1 }, 'tooLong', { b: 2 }])
  })
})

it('reads a hundred megabytes in a few seconds, whatever they are', { tags: 'long' }, async () => {
  const deep = encoder.encode(`[${'['.repeat(50_000_000)}${']'.repeat(50_000_000)},{"a":1}]`)
  expect(await split(deep, { chunkBytes: 65_536 })).toEqual(['unreadable', { a: 1 }])
})
