import { expect, it } from 'vitest'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { takeSentences } from './take-sentences.ts'

it('puts the text where a sentence of the product stands, and keeps each sentence once', () => {
  const late = sayOwnTool('not_searched.late')
  const { data, sentences } = takeSentences({ found: 1, files: [{ why: late }, { why: late, at: 2 }] })
  expect(data).toEqual({ found: 1, files: [{ why: late.text }, { why: late.text, at: 2 }] })
  expect(sentences).toEqual([late])
  expect(takeSentences(late)).toEqual({ data: late.text, sentences: [late] })
})

it('leaves what others say as it is, even in the form of a sentence', () => {
  const theirs = JSON.parse(JSON.stringify({ a: [sayOwnTool('not_searched.late')], b: null, c: 1 })) as object
  expect(takeSentences(theirs)).toEqual({ data: theirs, sentences: [] })
  expect(takeSentences(theirs).data).toBe(theirs)
})
