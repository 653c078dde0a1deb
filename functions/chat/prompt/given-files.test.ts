import { expect, it } from 'vitest'
import { aReadDocument, readRangeOf } from '../../../test/support/read-documents.ts'
import { toAttachment } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { loadAttachmentContexts } from './attachment-context.ts'
import { loadGivenFiles } from './given-files.ts'
import type { PromptMessage } from './prompt.ts'
import { nothingGiven } from './transcript.ts'

type Deps = Parameters<typeof loadAttachmentContexts>[0]

const text = 'Notice: four weeks. '.repeat(2_000)
const files: StoredFile[] = [
  aReadDocument('long', text),
  aReadDocument('short', 'Tea.'),
  aReadDocument('cat', '', { name: 'cat.png', type: 'image/png', size: 3 }),
  { ...aReadDocument('scan', 'x'), text: undefined, pictures: [[2, 4]] } as unknown as StoredFile,
]
const open = (rows: readonly StoredFile[]) => {
  const stored = new Map(rows.map((row) => [row.id, row]))
  const deps = {
    files: { findMany: async () => stored },
    store: {
      read: async () => Buffer.from('cat'),
      readRange: readRangeOf({ long: text, short: 'Tea.', scan: 'page' }),
    },
    startReading: async () => undefined,
  } as unknown as Deps
  return { deps, stored }
}
const message = (rows: readonly StoredFile[]): PromptMessage => ({
  role: 'user',
  content: 'See',
  turn: 1,
  attachments: rows.map((row) => toAttachment('ann', row)),
})
const room = {
  documentBytes: 26_000,
  pages: { pictures: 10, pdfPages: 0, pdfBytes: 0 },
}

/** What a message has of its files first, and what it has of them later. */
async function giveTwice(later: readonly StoredFile[], isWhole: boolean) {
  const first = await loadAttachmentContexts(open(files).deps, 'ann', [message(files)], room)
  const given = { ...nothingGiven, files: [...first.values()].flatMap((one) => one.given ?? []) }
  const { deps, stored } = open(later)
  const again = { ...message(files), given }
  const contexts = await loadGivenFiles(deps, 'ann', [again], stored, () => isWhole)
  const bare = ({
    text: shown,
    image,
    pages,
  }: {
    text: string
    image?: string
    pages?: readonly object[]
  }) => ({
    text: shown,
    image,
    pages,
  })
  return { first: [...first.values()].map(bare), again: (contexts.get(again) ?? []).map(bare) }
}

it('are given in later prompts as they were first, also when their rows say something else by now', async () => {
  const { first, again } = await giveTwice(
    files.map((file) => ({ ...file, name: `new ${file.name}`, created_at: '2027-01-01T00:00:00.000Z' })),
    true,
  )
  expect(again).toEqual(first)
  expect(first.map(({ image, pages = [] }) => [image !== undefined, pages.length])).toEqual([
    [false, 0],
    [false, 0],
    [true, 0],
    [false, 1],
  ])
})

it('are given by name in a turn that is given in short', async () => {
  const { again } = await giveTwice(files, false)
  expect(again.map(({ text: shown, image }) => [/note="([^"]*)"/.exec(shown)?.[1], image])).toEqual([
    ['given earlier, not shown again: read_attachment and search_files still have it', undefined],
    ['given earlier, not shown again: read_attachment and search_files still have it', undefined],
    ['an earlier image, not shown again', undefined],
    ['given earlier, not shown again: read_attachment and search_files still have it', undefined],
  ])
})

it('are gone when they were deleted', async () => {
  const { again } = await giveTwice([], true)
  expect(again.map(({ text: shown }) => /note="([^"]*)"/.exec(shown)?.[1])).toEqual(
    Array(4).fill('not kept any more'),
  )
  expect(JSON.stringify(again)).not.toContain('four weeks')
})
