import { expect, it } from 'vitest'
import { parseAddresses } from './parse-addresses.ts'

it.each([
  ['', []],
  ['ann@a.example\r\n\r\n bo@a.example \n', ['1 ann@a.example', '3 bo@a.example']],
  ['\uFEFFName;E-mail\nAnn;ann@a.example\n"Bo, B.";"bo@a.example"', ['2 ann@a.example', '3 bo@a.example']],
  ['name\temail\nAnn\tann@a.example', ['2 ann@a.example']],
  ['Ann <ann@a.example>\nnobody', ['1 ann@a.example', '2 nobody']],
  ['nobody', ['1 nobody']],
])('reads the addresses of %j', (text, expected) => {
  expect(parseAddresses(text).map(({ line, email }) => `${line} ${email}`)).toEqual(expected)
})
