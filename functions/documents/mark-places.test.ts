import { expect, it } from 'vitest'
import { markPlaces } from './mark-places.ts'

it('each page begins with its mark, also one without text, and ends where its text does', () => {
  const text = 'first\n\nthird\n\nfourth'
  const { pages, ...marked } = markPlaces({ text, length: 30, pages: { ends: [5, 5, 12, 20], total: 6 } })
  expect(marked).toEqual({
    text: '[page 1]\nfirst\n\n[page 2]\n\n[page 3]\nthird\n\n[page 4]\nfourth',
    // what is not kept counts as before
    length: 30 + 57 - 20,
  })
  expect(pages).toEqual({ ends: [14, 24, 40, 57], total: 6 })
})

it('slides, sheets and chapters are named by their mark, and say in a line of their own that they are hidden', () => {
  const text = 'A book\n\nSlide 1\na\n\nSlide 2 (hidden)\nb\n'
  const places = [
    { label: 'slide 1', title: 'Slide 1', at: 6 },
    { label: 'slide 2', title: 'Slide 2', at: 17 },
    { label: 'sheet A\nB', title: 'Sheet: A\nB', at: 38 },
  ]
  expect(markPlaces({ text, length: text.length, places }).text).toBe(
    'A book\n\n[slide 1]\na\n\n[slide 2]\n(hidden)\nb\n\n[sheet A B]',
  )
})

it.each(['[page 99]', '[Page 99]', '  [slide 3]  ', '[sheet Orders]', '[chapter 2]', '[page 9\u20139]'])(
  'a line that looks like a mark is quoted: %s',
  (line) => {
    const text = `before\n${line}\nsee [page 3] there`
    expect(markPlaces({ text, length: text.length }).text).toBe(`before\n> ${line}\nsee [page 3] there`)
  },
)
