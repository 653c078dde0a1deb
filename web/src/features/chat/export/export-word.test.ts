import { expect, it } from 'vitest'
import { exportReplyAsWord } from './export-word.ts'

it.each([
  ['a heading', '# The *plan*\n\nText', 'The-plan.docx'],
  ['letters with marks', 'हिन्दी में', 'हिन्दी-में.docx'],
  ['no letters', '…', 'conversation.docx'],
  ['a name that Windows refuses', 'Con', 'Con_.docx'],
  ['a long word of letters that take two units', `a${'𝒜'.repeat(60)}`, `a${'𝒜'.repeat(39)}.docx`],
])('a reply that begins with %s is saved as a file with a name', async (_, content, name) => {
  expect(await exportReplyAsWord({ content, attachments: [] })).toMatchObject({ name })
})
