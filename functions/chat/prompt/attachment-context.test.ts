import { expect, it, vi } from 'vitest'
import type { StoredFile } from '../../files/file-row.ts'
import { loadAttachmentContexts } from './attachment-context.ts'
import { buildModelMessages } from './prompt.ts'

const aDocument = (id: string): StoredFile => ({
  id,
  name: `${id}.pdf`,
  type: 'application/pdf',
  size: 2_000,
  state: 'ready',
  created_at: '2026-11-21T12:00:00.000Z',
  reading: { status: 'whole', note: 'its whole text' },
})

/** A user's files with these ids, and a store that reads their texts with `read`. */
function attachedWith(ids: readonly string[], read: (key: string) => Promise<Uint8Array | undefined>) {
  const onFindMany = vi.fn<(sub: string, ids: readonly string[]) => void>()
  return {
    onFindMany,
    attached: {
      files: {
        findMany: async (sub: string, requestedIds: readonly string[]) => {
          onFindMany(sub, requestedIds)
          return new Map(ids.filter((id) => requestedIds.includes(id)).map((id) => [id, aDocument(id)]))
        },
      },
      store: { read },
    } as unknown as Parameters<typeof loadAttachmentContexts>[0],
  }
}
const bytes = (text: string) => new TextEncoder().encode(text)
const question = (attachments: { id: string; name: string; extractedText?: string }[]) => ({
  role: 'user' as const,
  content: 'What is it?',
  attachments: attachments.map((attachment) => ({ type: 'application/pdf', size: 2_000, ...attachment })),
})

it('reads up to six documents of a prompt in parallel', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `f${index}`)
  const pendingReads: (() => void)[] = []
  const { attached } = attachedWith(ids, (key) => {
    return new Promise((resolve) => pendingReads.push(() => resolve(bytes(`Text of ${key}`))))
  })
  const loading = loadAttachmentContexts(attached, 'ann', [question(ids.map((id) => ({ id, name: id })))])
  await vi.waitUntil(() => pendingReads.length > 0)
  await new Promise(setImmediate)
  expect(pendingReads).toHaveLength(6)
  for (const release of pendingReads.splice(0)) release()
  await vi.waitUntil(() => pendingReads.length > 0)
  await new Promise(setImmediate)
  expect(pendingReads).toHaveLength(2)
  for (const release of pendingReads.splice(0)) release()
  const contexts = await loading
  expect([...contexts.keys()]).toEqual(ids)
  expect(contexts.get('f7')?.text).toContain('f7')
})

it('stops reading once the budget of characters is used up', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `f${index}`)
  let reads = 0
  const { attached } = attachedWith(ids, async () => {
    reads += 1
    return bytes('x'.repeat(20_000))
  })
  const contexts = await loadAttachmentContexts(attached, 'ann', [
    question(ids.map((id) => ({ id, name: id }))),
  ])
  // at most 8,000 characters of each are shown, so the budget ends among the second six
  expect(reads).toBe(12)
  expect(contexts.get('f19')?.text).toContain('left out here for its length')
})

it('keeps two files without an id apart, and does not look them up', async () => {
  const { attached, onFindMany } = attachedWith([], async () => undefined)
  const history = [
    question([
      { id: '', name: 'one.pdf', extractedText: 'First text' },
      { id: '', name: 'two.pdf', extractedText: 'Second text' },
    ]),
  ]
  const { messages } = buildModelMessages('', history, {
    contexts: await loadAttachmentContexts(attached, 'ann', history),
  })
  const prompt = JSON.stringify(messages.at(-1))
  expect(prompt).toContain('one.pdf')
  expect(prompt).toContain('First text')
  expect(prompt).toContain('two.pdf')
  expect(prompt).toContain('Second text')
  expect(onFindMany).toHaveBeenCalledWith('ann', [])
})

it('makes no request for a conversation without files', async () => {
  const { attached, onFindMany } = attachedWith([], async () => undefined)
  const history = [{ role: 'user' as const, content: 'Hello' }, question([])]
  expect([...(await loadAttachmentContexts(attached, 'ann', history))]).toEqual([])
  expect(onFindMany).not.toHaveBeenCalled()
})

it('includes only files of the user: images of replies are described by their prompts', async () => {
  const { attached, onFindMany } = attachedWith(['f1'], async () => bytes('Text'))
  const history = [{ ...question([{ id: 'f1', name: 'f1.pdf' }]), role: 'assistant' as const }]
  expect([...(await loadAttachmentContexts(attached, 'ann', history))]).toEqual([])
  expect(onFindMany).not.toHaveBeenCalled()
})

it('reads a file once although it was sent twice', async () => {
  let reads = 0
  const { attached } = attachedWith(['f1'], async () => {
    reads += 1
    return bytes('Notice')
  })
  const message = question([{ id: 'f1', name: 'f1.pdf' }])
  expect([...(await loadAttachmentContexts(attached, 'ann', [message, message])).keys()]).toEqual(['f1'])
  expect(reads).toBe(1)
})

it('leaves out texts in groups of turns once the budget is used up, so that the prompt stays the same for some turns', async () => {
  const count = 40
  const ids = Array.from({ length: count }, (_, index) => `f${index}`)
  const { attached } = attachedWith(ids, async () => bytes('x'.repeat(7_000)))
  const history = ids.map((id, index) => ({ ...question([{ id, name: id }]), turn: index + 1 }))
  const findFirstShown = async (length: number) => {
    const contexts = await loadAttachmentContexts(attached, 'ann', history.slice(0, length))
    const shownFiles = ids
      .slice(0, length)
      .map((id) => ({ id, isShown: contexts.get(id)?.text.includes('xxx') }))
    const first = shownFiles.findIndex(({ isShown }) => isShown)
    // all files after the first one are shown, without a gap
    expect(shownFiles.slice(first).every(({ isShown }) => isShown)).toBe(true)
    return first
  }
  const starts: number[] = []
  for (let length = 1; length <= count; length += 1) starts.push(await findFirstShown(length))
  // 12 texts of 7,000 characters start within 80,000
  expect(starts.slice(0, 12)).toEqual(Array(12).fill(0))
  // 29 if each new text replaced an old one
  const changes = starts.filter((start, index) => start !== starts[index - 1]).length
  expect([changes, Math.min(...starts.map((start, index) => index + 1 - start).slice(12))]).toEqual([8, 6])
})

it('leaves out those texts of a message that do not fit, and shows its others', async () => {
  const ids = [...Array.from({ length: 12 }, (_, index) => `f${index}`), 'small']
  const { attached } = attachedWith(ids, async (key) =>
    bytes(key.includes('small') ? 'short xxx' : 'x'.repeat(9_000)),
  )
  const files = ids.map((id) => ({ id, name: id }))
  const contexts = await loadAttachmentContexts(attached, 'ann', [
    { ...question(files.slice(0, 12)), turn: 8 },
    { ...question(files.slice(12)), turn: 9 },
  ])
  const shownIds = ids.filter((id) => contexts.get(id)?.text.includes('xxx'))
  expect(shownIds).toEqual([...ids.slice(0, 10), 'small'])
  expect(contexts.get('f11')?.text).toContain('left out here for its length')
})

it('only names the sixth image from the end, whatever the size of the texts', async () => {
  const ids = Array.from({ length: 14 }, (_, index) => `p${index}`)
  const reads: string[] = []
  const attached = {
    files: {
      findMany: async () =>
        new Map(ids.map((id) => [id, { ...aDocument(id), name: `${id}.png`, type: 'image/png' }])),
    },
    store: {
      read: async (key: string) => {
        reads.push(key)
        return bytes('png')
      },
    },
  } as unknown as Parameters<typeof loadAttachmentContexts>[0]
  const contexts = await loadAttachmentContexts(
    attached,
    'ann',
    ids.map((id) => question([{ id, name: id }])),
  )
  expect(ids.filter((id) => contexts.get(id)?.image)).toEqual(ids.slice(9))
  expect(contexts.get('p8')?.text).toContain('not shown again')
  expect(reads).toHaveLength(6)
})
