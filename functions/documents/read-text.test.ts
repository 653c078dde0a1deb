import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../test/support/read-documents.ts'
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
    expect(readingOf(extracted)).toMatchObject({
      status: 'whole',
      note: guess === undefined ? 'read in full' : `read in full; read as ${guess}, which is a guess`,
    })
  })

  it('of DOS is read', async () => {
    const bytes = Buffer.from(
      '477294e1653b53747261e1653b50726569730a8e7066656c3b9a626572626c69636b3b312c35300a4d816c6c65723b4b946c6e3b322c30300a4284636b65723b44817373656c646f72663b332c31300a',
      'hex',
    )
    expect(await readText(new Uint8Array(bytes))).toMatchObject({
      text: 'Größe;Straße;Preis\nÄpfel;Überblick;1,50\nMüller;Köln;2,00\nBäcker;Düsseldorf;3,10\n',
      assumedEncoding: 'ibm850',
    })
  })

  it('of mainframes (EBCDIC) is refused', async () => {
    const bytes =
      'e388854084859796a289a34089a240f3f5f040c5e4d9408195844089a24084a48540969540c699898481a840ba9996969440f1f2bb5a15c3a4a2a3969485995ec19496a495a35ec481a38515e29489a388405040e29695a25ef1f2f0f05ef2f0f2f660f0f560f0f115'
    await expect(readText(Buffer.from(bytes, 'hex'))).rejects.toMatchObject({ problem: 'unreadable' })
  })

  it.each([
    [
      'ibm737',
      'Greek of DOS',
      'Η σύμβαση μίσθωσης υπογράφηκε την πρώτη Απριλίου. Το μίσθωμα είναι 350 ευρώ τον μήνα.\n',
      '8620a9e7a39998a99e20a3e5a99fe0a99eaa20aca7a69aa8e1ad9ea19c20ab9ea420a7a8e9ab9e2080a7a8a0a2e5a6ac2e2092a620a3e5a99fe0a398209ce5a498a020333530209caca8e920aba6a420a3e3a4982e0a',
    ],
    [
      'ibm852',
      'Polish of DOS',
      'Umowa najmu została zawarta pierwszego maja. Czynsz wynosi 350 złotych miesięcznie, płatny z góry.\n',
      '556d6f7761206e616a6d75207a6f7374618861207a617761727461207069657277737a65676f206d616a612e20437a796e737a2077796e6f736920333530207a886f74796368206d69657369a9637a6e69652c20708861746e79207a2067a272792e0a',
    ],
    [
      'ibm855',
      'Russian of DOS',
      'Договор аренды квартиры заключён между сторонами. Арендная плата составляет 350 рублей в месяц.\n',
      'a7d6acd6ebd6e120a0e1a8d4a6f120c6eba0e1e5b7e1f120f3a0c6d09cfb84d420d2a8e9a6e720e3e5d6e1d6d4a0d2b72e20a1e1a8d4a6d4a0de20d8d0a0e5a020e3d6e3e5a0ebd0dea8e52033353020e1e7a2d0a8bd20eb20d2a8e3dea42e0a',
    ],
    [
      'ibm857',
      'Turkish of DOS',
      "Kira sözleşmesi bir Mayıs'ta başlar. Kira ayda 350 liradır, peşin ödenir. İşçi, çağrı.\n",
      '4b6972612073947a6c659f6d65736920626972204d61798d732774612062619f6c61722e204b697261206179646120333530206c697261648d722c2070659f696e209464656e69722e20989f87692c208761a7728d2e0a',
    ],
    [
      'ibm862',
      'Hebrew of DOS',
      'חוזה השכירות נחתם בתחילת מאי. שכר הדירה הוא 4500 שקל לחודש.\n',
      '878586842084998b8998859a2090879a8d20819a87898c9a208e80892e20998b982084838998842084858020343530302099978c208c878583992e0a',
    ],
    [
      'mac-greek',
      'Greek of old Macs',
      'Η σύμβαση μίσθωσης υπογράφηκε την πρώτη Μαΐου. Το μίσθωμα είναι 350 ευρώ τον μήνα.\n',
      'b820f3e0ede2e1f3e820edddf3f5f6f3e8f720f9f0efe7f2c0e6e8ebe520f4e8ee20f0f2f1f4e820bbe1fdeff92e20c6ef20edddf3f5f6ede120e5ddeee1e92033353020e5f9f2f120f4efee20eddceee12e0a',
    ],
  ])('is read in %s: %s', async (encoding, _, text, bytes) => {
    expect(await readText(Buffer.from(bytes, 'hex'))).toMatchObject({ text, assumedEncoding: encoding })
  })

  it.each([
    [
      'Korean of an encoding that is not known (Johab)',
      'b7b19481208981b4a2b76520b5a1b6a920b7a9b7a9b54120afa1b862965393a194612e20b6a9ad41936520ac61afb3b5a1a06520b6a5b7b393a194612e0ab4b7209477ac61b86193652095b7b781d07393a194612e0ab7b19481208981b4a2b76520b5a1b6a920b7a9b7a9b54120afa1b862965393a194612e20b6a9ad41936520ac61afb3b5a1a06520b6a5b7b393a194612e0ab4b7209477ac61b86193652095b7b781d07393a194612e0a',
    ],
    [
      'a text in EBCDIC with ASCII between',
      '6c6f67206f6620746865206e696768742072756e0ac799cc59854084859940c481a385890a6c6f67206f6620746865206e696768742072756e0ac799cc59854084859940c481a385890a6c6f67206f6620746865206e696768742072756e0ac799cc59854084859940c481a385890a6c6f67206f6620746865206e696768742072756e0ac799cc59854084859940c481a385890a6c6f67206f6620746865206e696768742072756e0ac799cc59854084859940c481a385890a6c6f67206f6620746865206e696768742072756e0ac799cc59854084859940c481a385890a',
    ],
  ])('whose decoding is no text is refused: %s', async (_, bytes) => {
    await expect(readText(Buffer.from(bytes, 'hex'))).rejects.toMatchObject({ problem: 'unreadable' })
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
    expect(readingOf(extracted)).toMatchObject({
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

const latin = (text: string) => Buffer.from(text, 'latin1')
/** `ą` in ISO-8859-2, `±` in the encoding that is most frequent. */
const letter = '\u00b1'

describe('a text that says its encoding', () => {
  it.each([
    `<?xml version="1.0" encoding="ISO-8859-2"?>${letter}`,
    `<?xml version='1.0' encoding = 'iso-8859-2'?>${letter}`,
    ` \n<?xml version="1.0" encoding="iso-8859-2"?>${letter}`,
    `<html><meta charset=iso-8859-2>${letter}`,
    `<META http-equiv="Content-Type" content="text/html; charset=latin2">${letter}`,
    `@charset "iso-8859-2"; ${letter}`,
    `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=ISO-8859-2\\n"\n${letter}`,
    `# coding: iso-8859-2\n${letter}`,
    `#!/usr/bin/python\n# -*- coding: iso-8859-2-unix -*-\n${letter}`,
    `#!/usr/bin/python\r# -*- coding: iso-8859-2-mac -*-\r${letter}`,
    `// coding=iso-8859-2-dos\n${letter}`,
    `/* vim: set fileencoding=iso-8859-2 : */ ${letter}`,
    `; coding: iso-8859-2\n${letter}`,
    `-- coding: iso-8859-2\n${letter}`,
    `% !TeX encoding coding=iso-8859-2\n${letter}`,
    `" coding: iso-8859-2\n${letter}`,
    `<!-- coding: iso-8859-2 -->${letter}`,
  ])('is read so: %j', async (text) => {
    const extracted = await readText(latin(text))
    expect(extracted.text).toBe(text.replaceAll('\r', '\n').replace(letter, 'ą'))
    expect(extracted).not.toHaveProperty('assumedEncoding')
  })

  it.each([
    ['in another place', `one\ntwo\n# coding: iso-8859-2\n${letter}`],
    ['far behind', `${'a\n'.repeat(512)}"Content-Type: text/plain; charset=iso-8859-2\n${letter}`],
    ['within a sentence', `The coding: iso-8859-2 ${letter}`],
    ['as UTF-16, whose declaration could not be read', `<?xml version="1.0" encoding="utf-16"?>${letter}`],
    ['as UTF-8, which it is not', `# coding: utf-8\n${letter}`],
  ])('is guessed if it says it %s', async (_, text) => {
    expect(await readText(latin(text))).toMatchObject({ text, assumedEncoding: 'windows-1252' })
  })

  it('may be wrong about one character in a hundred', async () => {
    const text = (length: number) => `# coding: euc-jp\n\u00ff`.padEnd(length, 'a')
    expect(await readText(latin(text(100)))).toMatchObject({
      text: text(100).replace('\u00ff', '\ufffd'),
      omitted: [{ what: 'damagedCharacters', count: 1 }],
    })
    expect(await readText(latin(text(99)))).toMatchObject({ text: text(99), assumedEncoding: 'windows-1252' })
  })

  it('is believed in ASCII, which may be Japanese', async () => {
    const escaped = '\u001b$B$"\u001b(B'
    expect((await readText(latin(`<meta charset="iso-2022-jp">${escaped}`))).text).toContain('あ')
    expect((await readText(latin(escaped))).text).toBe('あ')
    expect((await readText(latin(escaped.replace('$B', '$@')))).text).toBe('あ')
    expect((await readText(latin(`<meta charset="us-ascii">plain`))).text).toContain('plain')
  })
})

describe('UTF-8 with damage', () => {
  const bad = (text: string) =>
    Buffer.concat(
      text.split('?').flatMap((part, index) => [latin(index === 0 ? '' : '\u00ff'), Buffer.from(part)]),
    )

  it.each([
    ['three letters and one bad byte', 'äöü?.', 1],
    ['twenty letters and two bad bytes', `${'ä'.repeat(20)}?a?.`, 2],
    ['a replacement character of its own', 'äöü \ufffd ?.', 1],
  ])('stays UTF-8: %s', async (_, text, count) => {
    expect(await readText(bad(text))).toEqual({
      text: text.replaceAll('?', '\ufffd'),
      length: text.length,
      omitted: [{ what: 'damagedCharacters', count }],
    })
  })

  it.each([
    ['two letters and one bad byte', 'äö?.'],
    ['nineteen letters and two bad bytes', `${'ä'.repeat(19)}?a?.`],
  ])('is something else: %s', async (_, text) => {
    expect(await readText(bad(text))).toHaveProperty('assumedEncoding')
  })

  it('is UTF-8 whatever the damage if it has a byte order mark', async () => {
    expect(await readText(bad('\ufeff\ufffd?a?'))).toEqual({
      text: '\ufffd\ufffda\ufffd',
      length: 4,
      omitted: [{ what: 'damagedCharacters', count: 2 }],
    })
  })
})

describe('UTF-32', () => {
  const encode = (codes: readonly number[], isLittleEndian: boolean) => {
    const bytes = Buffer.alloc(codes.length * 4)
    codes.forEach((code, index) =>
      isLittleEndian ? bytes.writeUInt32LE(code, index * 4) : bytes.writeUInt32BE(code, index * 4),
    )
    return bytes
  }
  const codesOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0)

  it.each([true, false])('is read with its little end first, or last: %s', async (isLittleEndian) => {
    for (const mark of ['\ufeff', '']) {
      const text = `Grüße 😀 ${'and more '.repeat(1_000)}`
      expect(await readText(encode(codesOf(mark + text), isLittleEndian))).toEqual({
        text,
        length: text.length,
      })
    }
  })

  it.each([
    [0x10_ff_ff, 0],
    [0x11_00_00, 1],
    [0xd7_ff, 0],
    [0xd8_00, 1],
    [0xdf_ff, 1],
    [0xe0_00, 0],
  ])('has a character at the code %i, or damage: %i', async (code, count) => {
    const { text, omitted } = await readText(encode([0xfe_ff, 0x61, code, 0x62], true))
    expect(text).toBe(`a${count === 0 ? String.fromCodePoint(code) : '\ufffd'}b`)
    expect(omitted).toEqual(count === 0 ? undefined : [{ what: 'damagedCharacters', count }])
  })

  it('keeps a mark that is not at its beginning', async () => {
    const text = `a\ufeffb${' and more'.repeat(20)}`
    expect((await readText(encode(codesOf(text), true))).text).toBe(text)
    expect((await readText(encode(codesOf(`\ufeff${text}`), true))).text).toBe(text)
  })

  it('that was cut within a character has the others', async () => {
    expect((await readText(encode(codesOf('\ufeffabc'), true).subarray(0, -1))).text).toBe('ab')
  })
})

it('a guess is made by the lines with foreign letters, in a line of any length', async () => {
  const russian = readFileSync(new URL('windows-1251.txt', folder))
  const oneLine = Buffer.from(
    russian
      .toString('latin1')
      .replaceAll(/[\r\n]+/g, ' ')
      .repeat(8),
    'latin1',
  )
  const plain = Buffer.from('plain English words without an end '.repeat(3_000))
  for (const parts of [
    [plain, oneLine],
    [oneLine, plain],
    [plain, oneLine, plain],
  ])
    expect((await readText(Buffer.concat(parts))).assumedEncoding).toBe('windows-1251')
})

it('the sign of the euro among ASCII is that of Windows', async () => {
  const text = `day;amount (€)\n${'2025-01-02;1.234,50 €\n'.repeat(50)}`
  const bytes = Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')
  expect(await readText(bytes)).toMatchObject({ text, assumedEncoding: 'windows-1252' })
})

it('a few letters that fit no language are read in the most frequent encoding', async () => {
  expect(await readText(latin('a\u0080'))).toEqual({ text: 'a€', length: 2, assumedEncoding: 'windows-1252' })
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

it('has the sign of yen before an amount where Shift-JIS has it, and leaves paths alone', async () => {
  const bytes = Buffer.from(
    '8fa495698352815b83682c956996bc2c925089bf2c909497ca0a30303132332c955c8c768e5a835c837483672c225c31322c383030222c330a30303435362ceee08bb49770837983932c225c313530222c32300a433a5c323032365c96be8dd70a',
    'hex',
  )
  const { text } = await readText(bytes)
  expect(text).toContain('"¥12,800",3')
  expect(text).toContain(String.raw`C:\2026\明細`)
})
