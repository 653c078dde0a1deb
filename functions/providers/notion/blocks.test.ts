import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ProviderHarness, startProviderHarness } from '../../../test/support/provider-harness.ts'

let harness: ProviderHarness
beforeAll(async () => {
  harness = await startProviderHarness()
  await harness.connect('notion')
})
afterAll(() => harness.close())
beforeEach(() => {
  harness.received.length = 0
})

/** The texts of the blocks that a new page is made of. */
async function sendBlocks(content: string): Promise<string[]> {
  await harness.run('notion', 'create_page', { title: 'Minutes', content, parent: 'Team handbook' })
  const { children } = JSON.parse(harness.received.at(-1)?.body ?? '{}') as {
    children: { paragraph: { rich_text: { text: { content: string } }[] } }[]
  }
  return children.map(({ paragraph }) => paragraph.rich_text.map(({ text }) => text.content).join(''))
}

it('CAP-01 turns each line of a text into a paragraph of the new page, up to a hundred', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `Line ${at}`)
  expect(await sendBlocks(lines.join('\n'))).toEqual(lines)
  expect(await sendBlocks('One\n\n\nTwo')).toEqual(['One', 'Two'])
  expect(await sendBlocks('')).toEqual([])
})

it('CAP-01 loses nothing of a text with more lines than Notion accepts blocks', async () => {
  const text = Array.from({ length: 101 }, (_, at) => `Line ${at}`).join('\n')
  const blocks = await sendBlocks(text)
  expect(blocks.length).toBeLessThanOrEqual(100)
  expect(blocks.join('')).toBe(text)
})

it('CAP-01 cuts a long line between characters, into parts that Notion accepts', async () => {
  const line = `a${'👍'.repeat(1_500)}`
  const blocks = await sendBlocks(line)
  expect(blocks).toEqual([`a${'👍'.repeat(999)}`, '👍'.repeat(501)])
  expect(blocks.every((block) => block.length <= 2_000 && block.isWellFormed())).toBe(true)
})
