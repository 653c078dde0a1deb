import { expect, it } from 'vitest'
import { formatRecipients, parseRecipients, type Recipient } from './mail-recipients.ts'

const parse = (to: string): Recipient[] => {
  const result = parseRecipients(to)
  if ('problem' in result) throw new Error(result.problem.text)
  return result.recipients
}

it('a second recipient after three hundred blanks is written right after the first (H3)', () => {
  const to = `ann@corp.example,${' '.repeat(300)}mallory@evil.example`
  expect(parse(to).map(({ address }) => address)).toEqual(['ann@corp.example', 'mallory@evil.example'])
  expect(formatRecipients(parse(to))).toBe('ann@corp.example, mallory@evil.example')
})

it('a name cannot push its address out of sight (H3)', () => {
  expect(formatRecipients(parse(`"Ann${'\u2003'.repeat(200)}Lee" <mallory@evil.example>`))).toBe(
    'Ann Lee <mallory@evil.example>',
  )
})

it.each([
  ['ann@example.org', 'ann@example.org'],
  ['  Ann   Lee<ann@example.org> ,,ben@example.org,', 'Ann Lee <ann@example.org>, ben@example.org'],
  ['"Lee, Ann" <ann@example.org>', '"Lee, Ann" <ann@example.org>'],
  ['"ben@example.org" <ann@example.org>', '"ben@example.org" <ann@example.org>'],
  ['<ann@example.org>', '<ann@example.org>'],
  ['Zoë Groß <zoe@example.org>', 'Zoë Groß <zoe@example.org>'],
])('%j is written as %j', (to, written) => {
  expect(formatRecipients(parse(to))).toBe(written)
  expect(parse(written)).toEqual(parse(to))
})

it.each([
  ['', 'There is no recipient.'],
  ['ann', '"ann" is no e-mail address.'],
  ['ann@example.org; ben@example.org', 'is no e-mail address.'],
  ['ann@example.org"ben@example.org', 'A quotation mark has no pair'],
  ['ann@example.org\r\nBcc: eve@example.org', 'must be one line'],
])('%j is refused', (to, problem) =>
  expect(parseRecipients(to)).toMatchObject({
    problem: { text: expect.stringContaining(problem) as string },
  }),
)
