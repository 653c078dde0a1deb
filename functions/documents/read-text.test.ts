import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toAnalysis } from './analysis.ts'
import { readText } from './read-text.ts'

const folder = new URL('../../test/fixtures/files/texts/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, string>
const names = readdirSync(folder).filter((name) => name !== 'expected.json')

/** Texts whose encoding neither the bytes nor a declaration names. */
const guessed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    names
      .map((name) => name.replace('.txt', ''))
      .filter((name) => /^(windows|koi8|shift|euc|gb|big5|macintosh)/.test(name))
      .map((name) => [`${name}.txt`, name]),
  ),
  // both have the same Greek letters
  'windows-1253.txt': 'iso-8859-7',
}

describe('a text in any encoding', () => {
  it.each(names)('%s is read, and its note says if the encoding is a guess', async (name) => {
    const extracted = await readText(new Uint8Array(readFileSync(new URL(name, folder))))
    const guess = guessed[name]
    expect(extracted).toEqual({
      text: expected[name],
      length: expected[name]?.length,
      ...(guess !== undefined && { assumedEncoding: guess }),
    })
    expect(toAnalysis(extracted).reading).toEqual({
      status: 'whole',
      note: guess === undefined ? 'read in full' : `read in full; read as ${guess}, which is a guess`,
    })
  })

  it.each([
    ['a byte order mark', Buffer.from('\ufeffGrüße'), 'Grüße'],
    ['line ends of old Macs', Buffer.from('a,b\r1,2\r'), 'a,b\n1,2\n'],
    ['line ends of Windows', Buffer.from('a,b\r\n1,2\r\n'), 'a,b\n1,2\n'],
    ['a replacement character of its own', Buffer.from('was \ufffd before'), 'was \ufffd before'],
    ['an unknown declaration', Buffer.from('# coding: klingon\nÖl'), '# coding: klingon\nÖl'],
    [
      'fields that are separated by control characters',
      Buffer.from('8=FIX.4.2\u00019=178\u000135=8\u000149=PHLX\u0001'),
      '8=FIX.4.2\u00019=178\u000135=8\u000149=PHLX\u0001',
    ],
    ['nothing', Buffer.alloc(0), ''],
  ])('with %s', async (_, bytes, text) => {
    expect(await readText(new Uint8Array(bytes))).toEqual({ text, length: text.length })
  })

  it.each([
    [
      'cut within a character',
      Buffer.from('Größe geprüft – 19 €').subarray(0, -1),
      'Größe geprüft – 19 \ufffd',
    ],
    [
      'with a byte that is not UTF-8',
      Buffer.concat([Buffer.from('Größe, Öl, '), Buffer.from([0xff])]),
      'Größe, Öl, \ufffd',
    ],
  ])('UTF-8 that was %s stays UTF-8, and the damage is counted', async (_, bytes, text) => {
    const extracted = await readText(new Uint8Array(bytes))
    expect(extracted).toMatchObject({ text, omitted: [{ what: 'damagedCharacters', count: 1 }] })
    expect(toAnalysis(extracted).reading).toEqual({
      status: 'part',
      note: '1 damaged character was not read',
    })
  })

  it.each([
    [
      'one NUL byte',
      Buffer.from('line one\nline two \0after a crash\n'),
      'line one\nline two after a crash\n',
    ],
    [
      'a hole of NUL bytes',
      Buffer.concat([Buffer.from('started\n'), Buffer.alloc(512), Buffer.from('again\n')]),
      'started\nagain\n',
    ],
    ['a tail of NUL bytes', Buffer.concat([Buffer.from('started\n'), Buffer.alloc(4_096)]), 'started\n'],
  ])('%s in a log does not make it binary', async (_, bytes, text) => {
    expect((await readText(new Uint8Array(bytes))).text).toBe(text)
  })

  it('a line end of Windows is one, wherever a long text is divided', async () => {
    for (const before of [65_534, 65_535, 65_536]) {
      const { text } = await readText(Buffer.from(`${'a'.repeat(before)}\r\nb\rc`))
      expect(text.slice(before)).toBe('\nb\nc')
    }
  })

  it('a long file is decoded by its letters, wherever they are', async () => {
    const russian = readFileSync(new URL('windows-1251.txt', folder))
    const bytes = Buffer.concat([Buffer.from('plain\n'.repeat(100_000)), russian])
    const { assumedEncoding, text } = await readText(new Uint8Array(bytes))
    expect([assumedEncoding, text.endsWith(expected['windows-1251.txt'] ?? '?')]).toEqual([
      'windows-1251',
      true,
    ])
  })
})

it.each([
  ['a program', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
  ['a film', Buffer.from('\0\0\0\u0018ftypisom'.repeat(9), 'latin1')],
  ['an archive of texts', Buffer.from(`a.txt${'\0'.repeat(252)}ustar${'\0'.repeat(250)}hello`)],
  ['only NUL bytes', Buffer.alloc(100)],
  [
    'compressed data',
    readFileSync(new URL('../../test/fixtures/files/pictures/jpeg-named.png', import.meta.url)),
  ],
  [
    'a database',
    Buffer.from('SQLite format 3\0\u0010\0\u0001\u0001\0\u0040\u0020\u0020\0\0\0\u0002\0\0\0\u0003'),
  ],
])('%s is not a text', async (_, bytes) => {
  await expect(readText(new Uint8Array(bytes))).rejects.toMatchObject({ problem: 'unreadable' })
})
