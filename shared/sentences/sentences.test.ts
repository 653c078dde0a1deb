import { expect, it } from 'vitest'
import { sayChat } from './chat.ts'
import { documentSentences, sayDocument } from './documents.ts'
import { sayExpiry } from './expiry.ts'
import { sayFile } from './files.ts'
import { formatSentence } from './format-sentence.ts'
import { sentenceTables } from './index.ts'
import { sayModel } from './model.ts'
import { sayPlatform } from './platform.ts'
import { sayServer } from './servers.ts'
import { joinSentences, toCodes } from './to-sentence.ts'
import { sayTool } from './tools.ts'

const pages = { pages: ['2', '5–9', sayDocument('more_pages', { count: 12 })] }
const things = [
  sayDocument('omitted.formulas', { count: 2 }),
  sayDocument('omitted.charts', { count: 1 }),
  sayDocument('omitted.pictures', { count: 1_300 }),
]

it.each([
  [sayPlatform('not_found'), 'There is nothing at this address.'],
  [
    sayPlatform('too_many_requests', { seconds: 1 }),
    'Too many requests. Please wait 1 second and try again.',
  ],
  [
    sayPlatform('too_many_requests', { seconds: 121 }),
    'Too many requests. Please wait 3 minutes and try again.',
  ],
  [sayModel('model_busy.wait', { seconds: 119 }), /try again in 119 seconds\.$/],
  [sayModel('model_busy.wait', { seconds: 3_601 }), /try again in 61 minutes\.$/],
  [sayModel('model_busy.wait', { seconds: 7_201 }), /try again in 3 hours\.$/],
  [
    sayChat('budget.day_tokens', { limit: 12_000 }),
    /It is 12,000 tokens, cached ones counted in full, and resets at midnight/,
  ],
  [
    sayChat('budget.month_money', { limit: 2.5, date: '2026-12-01T00:00:00.000Z' }),
    /It is \$2\.50, and resets on December 1 \(UTC\)/,
  ],
  [sayFile('storage_full', { used: 0.5, limit: 2, unit: 'GB' }), /take up 0\.5 GB of 2\.0 GB, so/],
  [
    sayServer('mcp_server_failed.refused', { said: 'No {way} #1.' }),
    /connection\. It said: "No \{way\} #1\."$/,
  ],
  [sayServer('mcp_server_failed.refused', { said: '' }), /connection\.$/],
  [sayDocument('pages_without_text.several', pages), /^pages 2, 5–9 and 12 more have no text/],
  [sayDocument('not_read.several', { things }), '2 formulas, 1 chart and 1,300 pictures were not read'],
  [
    sayDocument('no_content.but', { omissions: sayDocument('not_read.one', { things: [things[1]!] }) }),
    /: 1 chart was not read\.$/,
  ],
  [sayTool('files_left_out', { count: 1, max: 10 }), '1 more file was left out: 10 of a result are shown.'],
  [sayExpiry('expiry.days', { days: 1, hours: 4 }), 'Expires in 1d 4h'],
])('%j', ({ text }, english) => {
  expect(text).toMatch(english)
})

it('a sentence has its code, what tells sentences of the code apart, and its parameters', () => {
  expect(sayModel('model_busy.wait', { seconds: 7 })).toEqual({
    code: 'model_busy',
    params: { reason: 'wait', seconds: 7 },
    text: "The assistant's model is busy. Please try again in 7 seconds.",
  })
  expect(sayPlatform('not_found')).not.toHaveProperty('params')
  const both = [sayTool('provider_no_answer', { name: 'Notes' }), sayTool('may_be_done')]
  expect(joinSentences(both)).toBe('Notes did not answer. It may have been done: check before you try again.')
  expect(toCodes(both)).toEqual([
    { code: 'provider_no_answer', params: { name: 'Notes' } },
    { code: 'may_be_done' },
  ])
})

it('a sentence in a parameter is found by its code, and is its text if the code is not known', () => {
  const why = { ...sayFile('upload_missing'), text: 'English' }
  expect(formatSentence('{name}: {why}', { name: 'a', why }, 'de', () => 'Deutsch')).toBe('a: Deutsch')
  expect(formatSentence('{name}: {why}', { name: 'a', why }, 'de', () => undefined)).toBe('a: English')
})

it('DEC-039 no two tables have a sentence with the same id, and failures of documents are complete sentences', () => {
  const ids = sentenceTables.flatMap((table) => Object.keys(table))
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted())
  const failures = Object.entries(documentSentences).filter(([id]) =>
    /^(?:unreadable|unsupported|no_content|too_|inaccessible|unavailable)/.test(id),
  )
  for (const [, text] of failures) expect(text).toMatch(/^[A-Z].+\.$/s)
})
