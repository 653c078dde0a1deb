import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  dateOrDateTime,
  findLastDay,
  limit,
  singleLine,
  longText,
  findByNameOrId,
  shortText,
  searchTerm,
  secondsToIsoTime,
  toIsoTime,
} from './schemas.ts'

const isAccepted = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

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
  ])('%s accepts only what is within its bounds', (_, schema, validValues, invalidValues) => {
    expect(validValues.filter((value) => !isAccepted(schema, value))).toEqual([])
    expect(invalidValues.filter((value) => isAccepted(schema, value))).toEqual([])
  })

  it('is trimmed, and a limit defaults to 20 rows', () => {
    expect([searchTerm('titles').parse(' a b '), singleLine('a title').parse(' a\n')]).toEqual(['a b', 'a'])
    expect(limit('rows').parse(undefined)).toBe(20)
    expect(limit('rows').description).toBe('how many rows')
  })
})

it('a text from a provider is cut to 300 characters and loses bidirectional control characters', () => {
  expect(shortText(`a\u202e${'b'.repeat(299)}`)).toBe(`a${'b'.repeat(299)}`)
  expect(shortText('b'.repeat(301))).toBe(`${'b'.repeat(300)}…`)
  expect(shortText(7)).toBe('')
})

it.each([
  [toIsoTime('Wed, 18 Nov 2026 09:00:00 +0000'), '2026-11-18T09:00:00.000Z'],
  [toIsoTime('some\u202eday'), 'someday'],
  [secondsToIsoTime('1.5'), '1970-01-01T00:00:01.500Z'],
  [secondsToIsoTime(8.7e15), '8700000000000000'],
  [secondsToIsoTime('x'.repeat(301)), `${'x'.repeat(300)}…`],
  [findLastDay('2026-11-18', '2026-11-20'), '2026-11-19'],
  [findLastDay('2026-11-18', '2026-11-18'), '2026-11-18'],
  [findLastDay('2026-11-18', '2026-13-20'), '2026-13-20'],
  [findLastDay(undefined, 'someday'), 'someday'],
])('a time of a response, which stays if it cannot be read: %s', (text, expected) => {
  expect(text).toBe(expected)
})

describe('finding what the user means', () => {
  const rows = [
    { id: 'ID-1', name: 'General' },
    { id: 'ID-2', name: 'Random' },
  ]
  const namesakes = [...rows, { id: 'ID-3', name: 'random' }]

  it.each(['General', ' general ', 'id-1'])('finds the row by its name or id: %j', (wanted) => {
    expect(findByNameOrId(rows, wanted, 'channel')).toBe(rows[0])
  })

  it('finds one of several rows with the same name by its id, and a row that is listed twice', () => {
    expect(findByNameOrId(namesakes, 'id-3', 'channel')).toBe(namesakes[2])
    expect(findByNameOrId([...rows, ...rows], 'Random', 'channel')).toBe(rows[1])
  })

  it('finds the only row when nothing is named', () => {
    for (const wanted of [undefined, ' '])
      expect(findByNameOrId(rows.slice(1), wanted, 'channel')).toBe(rows[1])
  })

  it.each<[string, typeof rows, string | undefined, string]>([
    ['none of several', rows, undefined, 'Which channel? There are "General", "Random".'],
    ['an unknown one', rows, 'kitchen', 'There is no channel with this name. There are "General", "Random".'],
    ['an unknown one of one', rows.slice(1), 'x', 'There is no channel with this name. There are "Random".'],
    ['a name of two', namesakes, 'Random', 'Which channel? 2 have this name. Their ids are "ID-2", "ID-3".'],
    ['one where there are none', [], 'x', 'There is no channel that this account may use.'],
  ])('asks which one is meant: %s', (_, choices, wanted, message) => {
    expect(() => findByNameOrId(choices, wanted, 'channel')).toThrow(message)
  })

  it('lists at most 20 short names', () => {
    const channels = Array.from({ length: 21 }, (_, at) => ({
      id: `${at}`,
      name: `${at} ${'n'.repeat(100)}`,
    }))
    const message = (() => {
      try {
        findByNameOrId(channels, undefined, 'channel')
      } catch (error) {
        return (error as Error).message
      }
      return ''
    })()
    expect(message.match(/"/g)).toHaveLength(40)
    expect(message).toContain(`"0 ${'n'.repeat(58)}…"`)
  })
})
