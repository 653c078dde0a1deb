import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { exportReplyAsWord } from './export-word.ts'

it.each([
  ['a heading', '# The *plan*\n\nText', 'The-plan.docx'],
  ['letters with marks', 'हिन्दी में', 'हिन्दी-में.docx'],
  ['no letters', '…', 'conversation.docx'],
  [
    'words with hyphens and underscores',
    '- **e-mail** of `a_b`, 2026-05-01',
    'e-mail-of-a-b-2026-05-01.docx',
  ],
  ['a name that Windows refuses', 'Con', 'Con_.docx'],
  ['a long word of letters that take two units', `a${'𝒜'.repeat(60)}`, `a${'𝒜'.repeat(39)}.docx`],
])('a reply that begins with %s is saved as a file with a name', async (_, content, name) => {
  expect(await exportReplyAsWord({ content, attachments: [], tool_calls: [] })).toMatchObject({ name })
})

it('a title is the line without marks, but with the hyphens of its words', async () => {
  const { blob } = await exportReplyAsWord({
    content: '---\n## The *e-mail* of a_b',
    attachments: [],
    tool_calls: [],
  })
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  expect(strFromU8(files['docProps/core.xml'] ?? new Uint8Array())).toContain('>The e-mail of a_b<')
})
