import { describe, expect, it } from 'vitest'
import { chooseCut, noFiles, type CutInput } from './choose-cut.ts'
import type { PromptMessage } from './prompt.ts'
import { nothingGiven, type GivenFile } from './transcript.ts'

const limits = { maxCharacters: 1_000, maxMessages: 100, maxDocumentBytes: 1_000, maxPagePictures: 10 }
const file = (changes: Partial<GivenFile>): GivenFile => ({
  id: 'f',
  tag: '<attachment',
  head: '',
  characters: 0,
  bytes: 0,
  image: false,
  pictures: 0,
  pdfs: 0,
  pdfPages: 0,
  pdfBytes: 0,
  isPending: false,
  ...changes,
})
/** A turn whose reply takes so many characters whole, and a tenth of them in short. */
const turn = (number: number, characters: number, files: GivenFile[] = []): PromptMessage[] => [
  { role: 'user', content: '', turn: number, given: { ...nothingGiven, files } },
  { role: 'assistant', content: 'x'.repeat(characters), turn: number },
]
const choose = (turns: PromptMessage[][], changes: Partial<CutInput> = {}) =>
  chooseCut(turns.flat(), {
    measure: ({ content }, isWhole) => (isWhole ? content.length : Math.ceil(content.length / 10)),
    limits,
    model: 'm',
    hasEarlier: false,
    ...changes,
  })
const last: PromptMessage[] = [{ role: 'user', content: 'And?', turn: 9 }]

describe('a conversation with long results', () => {
  it('is whole as long as it fits', () => {
    expect(choose([turn(7, 500), turn(8, 496), last])).toBeUndefined()
    expect(choose([])).toBeUndefined()
  })

  it('gives older turns in short before it leaves any out', () => {
    expect(choose([turn(6, 400), turn(7, 400), turn(8, 400), last])).toEqual({
      model: 'm',
      from: 0,
      whole: 8,
    })
    // the turn before is longer than all that there is room for
    expect(choose([turn(8, 5_000), last])).toEqual({ model: 'm', from: 0, whole: 9 })
  })

  it('leaves out what does not fit in short either', () => {
    const many = Array.from({ length: 8 }, (_, index) => turn(index + 1, 2_000))
    expect(choose([...many, last])).toEqual({ model: 'm', from: 6, whole: 9 })
  })

  it('stays cut where it was until that no longer fits', () => {
    const cut = { model: 'm', from: 0, whole: 8 }
    expect(choose([turn(7, 2_000), turn(8, 700), last], { previous: cut })).toBe(cut)
    expect(choose([turn(7, 2_000), turn(8, 900), last], { previous: cut })).toEqual({ ...cut, whole: 9 })
  })

  it('sends a long message alone whatever its length', () => {
    expect(choose([[{ role: 'user', content: 'x'.repeat(5_000), turn: 1 }]])).toBeUndefined()
  })
})

describe('files of earlier turns', () => {
  it.each<[string, Partial<GivenFile>, Partial<typeof noFiles>]>([
    ['texts', { bytes: 600 }, { documentBytes: 401 }],
    ['images', { image: true }, { images: 5 }],
    ['pictures of pages', { pictures: 6 }, { pictures: 5 }],
    ['pages of PDFs', { pdfPages: 60 }, { pdfPages: 41 }],
    ['bytes of PDFs', { pdfBytes: 8_000_000 }, { pdfBytes: 1_000_000 }],
  ])('make room for %s of the new message, which are given whole', (_, given, need) => {
    const turns = [turn(7, 10), turn(8, 10, [file(given)]), last]
    expect(choose(turns)).toBeUndefined()
    expect(choose(turns, { need: { ...noFiles, ...need } })).toEqual({ model: 'm', from: 0, whole: 9 })
  })
})
