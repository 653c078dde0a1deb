import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { exportReplyAsWord } from './export-word.ts'

let names: string[] = []
beforeEach(() => {
  names = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  // jsdom has none
  URL.createObjectURL = () => 'blob:test'
})
afterEach(() => Reflect.deleteProperty(URL, 'createObjectURL'))

it.each([
  ['a heading', '# The *plan*\n\nText', 'The-plan.docx'],
  ['letters with marks', 'हिन्दी में', 'हिन्दी-में.docx'],
  ['no letters', '…', 'conversation.docx'],
  ['a name that Windows refuses', 'Con', 'Con_.docx'],
  ['a long word of letters that take two units', `a${'𝒜'.repeat(60)}`, `a${'𝒜'.repeat(39)}.docx`],
])('a reply that begins with %s is saved as a file with a name', async (_, content, name) => {
  await exportReplyAsWord({ content, attachments: [] })
  expect(names).toEqual([name])
})
