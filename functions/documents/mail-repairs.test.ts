import { expect, it } from 'vitest'
import { repairBoundaries } from './mail-repairs.ts'
import { readDocument } from './readers.ts'

const read = async (...lines: string[]) =>
  (await readDocument('mail', new TextEncoder().encode(['From: a@a.example', ...lines].join('\r\n')))).text
const part = (boundary: string, text = 'The offer is 880 EUR.') => [
  `--${boundary}`,
  'Content-Type: text/plain',
  '',
  text,
]

it.each<[what: string, lines: string[]]>([
  [
    'that is folded, beside one that is not used',
    [
      'Content-Type: multipart/mixed; boundary="unused"',
      'Content-Type: multipart/alternative;',
      ' boundary="real',
      ' -one"',
      '',
      ...part('real -one'),
      '--real -one--',
    ],
  ],
  [
    'that a gateway has replaced',
    ['Content-Type: multipart/mixed; boundary=old; charset=utf-8', '', 'preamble', ...part('new'), '--new--'],
  ],
  [
    'within another one',
    [
      'Content-Type: multipart/mixed; boundary="o"',
      '',
      '--o',
      'Content-Type: multipart/alternative; boundary="wrong"',
      '',
      ...part('inner'),
      '--inner--',
      ...part('o', 'Second'),
      '--o--',
    ],
  ],
])('a message has its text with a boundary %s', async (_, lines) => {
  expect(await read(...lines)).toContain('The offer is 880 EUR.')
})

it.each([
  ['right', 'Content-Type: multipart/mixed; boundary="b"\n\n--b\n\ntext\n--b--\n'],
  [
    'of a part without parts',
    'Content-Type: multipart/mixed; boundary="o"\n\n--o\nContent-Type: multipart/mixed; boundary="i"\n\n--o\n\ntext\n--o--\n',
  ],
  ['without a part', 'Content-Type: multipart/mixed; boundary="b"\n\ntext\n'],
  ['in the text', 'Subject: Hi\n\nContent-Type: text/plain\n\nboundary="b"\n--c\n--c--\n'],
])('a boundary %s stays as it is', (_, message) => {
  expect(repairBoundaries(message)).toBe(message)
})

it('a text that is called ASCII, and has other letters, is read by these', async () => {
  const head = 'From: a@a.example\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n'
  // „Здравствуйте, заказ отправлен“ in windows-1251
  const body = Buffer.from('c7e4f0e0e2f1f2e2f3e9f2e52c20e7e0eae0e720eef2eff0e0e2ebe5ed', 'hex')
  const { text } = await readDocument('mail', new Uint8Array([...Buffer.from(head), ...body]))
  expect(text).toContain('Здравствуйте, заказ отправлен')
})
