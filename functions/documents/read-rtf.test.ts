import { strToU8 } from 'fflate'
import { expect, it } from 'vitest'
import { readRtf } from './read-rtf.ts'

const read = (content: string) => readRtf(strToU8(String.raw`{\rtf1\ansi\ansicpg1252` + content + '}', true))

it.each([
  ['at the beginning of a group', String.raw`a{\*\unknown b}c`, 'ac'],
  ['behind a line end', '{\\*\r\n\\unknown b}c', 'c'],
  ['in front of a destination that is text', String.raw`{\*\shppict a}b`, 'ab'],
  ['within a group, where it says nothing', String.raw`{\f2\i0\*\cs7\cf0 The quick fox}`, 'The quick fox'],
  ['within the text', String.raw`a\*\b b`, 'ab'],
])('the mark of what may be ignored stands %s', (_, content, text) => {
  expect(read(content).text).toBe(text)
})

it('bytes that the page of their font does not have are of the document’s page', () => {
  const fonts = String.raw`{\fonttbl{\f0\fcharset0 a;}{\f1\fcharset128 b;}}`
  expect(read(String.raw`${fonts}\f1 \'93\'fa {\listtext\f1 \'96\tab}item`)).toEqual({
    text: '日 –\titem',
    length: 8,
  })
})

it('bytes that neither page has are counted', () => {
  const fonts = String.raw`{\fonttbl{\f1\fcharset128 b;}}`
  expect(readRtf(strToU8(String.raw`{\rtf1\ansi\ansicpg932${fonts}\f1 a\'96}`, true))).toMatchObject({
    text: 'a�',
    omitted: [{ what: 'damagedCharacters', count: 1 }],
  })
})

it('lists that stand in no table are no text', () => {
  const level = String.raw`{\listlevel\levelnfc0{\leveltext \'02\'00.}{\levelnumbers \'01}}`
  expect(
    read(String.raw`{\list\listtemplateid6${level}{\listname one;}\listid7}a{\listoverride\listid7\ls1}b`)
      .text,
  ).toBe('ab')
})

it('what stands behind the document is not read, unless it goes on', () => {
  const document = String.raw`{\rtf1\ansi a\par}`
  expect(readRtf(strToU8(`${document}\r\n\0\x11$DM`, true)).text).toBe('a')
  expect(readRtf(strToU8(String.raw`${document}b\par}`, true)).text).toBe('a\nb')
})
