import { expect, it } from 'vitest'
import { readFeedback } from './feedback-summary.ts'

type Rating = Record<string, unknown>

/** The feedback of November from accounts, on pages of one each. */
const read = (ratings: Readonly<Record<string, readonly Rating[]>>) =>
  readFeedback(
    { list: async (id: string) => ratings[id] ?? [] } as unknown as Parameters<typeof readFeedback>[0],
    {
      async *listAll() {
        for (const id of Object.keys(ratings)) yield [{ id, email: `${id}@example.org` }]
      },
    } as unknown as Parameters<typeof readFeedback>[1],
    '2026-11',
  )
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T08:00:00.000Z`
const desk = { id: 'd', name: 'Order desk' }

it('counts by model and assistant, the most rated first', async () => {
  const { counts, month } = await read({
    ann: [
      { rating: 'up', model: 'small', at: at(1) },
      { rating: 'down', model: 'large', at: at(2) },
      { rating: 'up', model: 'large', at: at(3), assistant: desk },
      { rating: 'up', model: 'large', at: '2026-10-31T08:00:00.000Z' },
    ],
    bo: [
      { rating: 'up', model: 'large', at: at(4) },
      { rating: 'up', model: 'large', at: at(5), assistant: { ...desk, name: 'Its new name' } },
      { rating: 'down', model: 'large', at: at(6), assistant: desk },
    ],
  })
  expect(month).toBe('2026-11')
  expect(counts).toEqual([
    { model: 'large', assistant: desk, up: 2, down: 1 },
    { model: 'large', up: 1, down: 1 },
    { model: 'small', up: 1, down: 0 },
  ])
})

it('names those who want to be named, the newest text first, and no more than 500', async () => {
  const { texts, older_texts } = await read({
    ann: [
      { rating: 'down', model: 'm', at: at(1), text: 'Wrong', named: true, assistant: desk },
      { rating: 'up', model: 'm', at: at(3), text: 'Right' },
      { rating: 'up', model: 'm', at: at(4), named: true },
    ],
    bo: [{ rating: 'up', model: 'm', at: at(2), text: 'Fine', named: false }],
  })
  expect(texts).toEqual([
    { model: 'm', rating: 'up', text: 'Right', at: at(3) },
    { model: 'm', rating: 'up', text: 'Fine', at: at(2) },
    { model: 'm', assistant: desk, rating: 'down', text: 'Wrong', at: at(1), email: 'ann@example.org' },
  ])
  expect(older_texts).toBe(0)
  const many = Array.from({ length: 502 }, (_, index) => ({
    rating: 'up',
    model: 'm',
    at: at(1),
    text: `${index}`,
  }))
  const cut = await read({ ann: many })
  expect([cut.texts.length, cut.older_texts]).toEqual([500, 2])
})
