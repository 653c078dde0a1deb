import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  dateOrDateTime,
  limit,
  singleLine,
  longText,
  findByNameOrId,
  shortText,
  searchTerm,
} from './schemas.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('a parameter', () => {
  it.each<[string, z.ZodType, unknown[], unknown[]]>([
    ['a limit', limit('rows', 20, 50), [1, 50, undefined], [0, 51, 1.5, '5']],
    ['words', searchTerm('titles'), ['', 'x'.repeat(200), undefined], ['x'.repeat(201)]],
    ['a line', singleLine('a title'), ['a', 'x'.repeat(255)], ['', ' \n', 'x'.repeat(256), undefined]],
    ['a short line', singleLine('a key', 3), ['abc'], ['abcd']],
    ['a long text', longText('a body'), ['', 'x'.repeat(20_000)], ['x'.repeat(20_001)]],
    [
      'a time',
      dateOrDateTime('when'),
      ['2026-11-20', '2026-11-20T15:00:00Z', '2026-11-20T15:00:00+01:00'],
      ['2026-11-20T15:00:00', 'tomorrow', ''],
    ],
  ])('that is %s has its bounds', (_, schema, good, bad) => {
    expect(good.filter((value) => !takes(schema, value))).toEqual([])
    expect(bad.filter((value) => takes(schema, value))).toEqual([])
  })

  it('is without blanks around it, and 20 rows where nothing is said', () => {
    expect([searchTerm('titles').parse(' a b '), singleLine('a title').parse(' a\n')]).toEqual(['a b', 'a'])
    expect(limit('rows').parse(undefined)).toBe(20)
    expect(limit('rows').description).toBe('how many rows')
  })
})

it('a foreign name is at most 300 characters, without tricks', () => {
  expect(shortText(`a\u202e${'b'.repeat(299)}`)).toBe(`a${'b'.repeat(299)}`)
  expect(shortText('b'.repeat(301))).toBe(`${'b'.repeat(300)}…`)
  expect(shortText(7)).toBe('')
})

describe('what a person means', () => {
  const rows = [
    { id: 'ID-1', name: 'General' },
    { id: 'ID-2', name: 'Random' },
  ]

  it.each(['General', ' general ', 'id-1'])('by %j is the row of that name or id', (wanted) => {
    expect(findByNameOrId(rows, wanted, 'channel')).toBe(rows[0])
  })

  it('by nothing is the only row there is', () => {
    for (const wanted of [undefined, ' '])
      expect(findByNameOrId(rows.slice(1), wanted, 'channel')).toBe(rows[1])
  })

  it.each<[string, typeof rows, string | undefined, string]>([
    ['none of several', rows, undefined, 'Which channel? There are "General", "Random".'],
    ['an unknown one', rows, 'kitchen', 'There is no channel with this name. There are "General", "Random".'],
    ['an unknown one of one', rows.slice(1), 'x', 'There is no channel with this name. There are "Random".'],
    ['one where there are none', [], 'x', 'There is no channel that this account may use.'],
  ])('by %s is asked for', (_, from, wanted, sentence) => {
    expect(() => findByNameOrId(from, wanted, 'channel')).toThrow(new Error(sentence))
  })

  it('is asked for with 20 names at most, each of them short', () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ id: `${at}`, name: `${at} ${'n'.repeat(100)}` }))
    const sentence = (() => {
      try {
        findByNameOrId(many, undefined, 'channel')
      } catch (error) {
        return (error as Error).message
      }
      return ''
    })()
    expect(sentence.match(/"/g)).toHaveLength(40)
    expect(sentence).toContain(`"0 ${'n'.repeat(58)}…"`)
  })
})
