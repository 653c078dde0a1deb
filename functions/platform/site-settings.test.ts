import { expect, it } from 'vitest'
import { parseSiteSettings } from './site-settings.ts'

it.each([
  ['a setting of a later release', { later: 1 }, {}],
  ['a setting of another type', { signUp: 7, tokensPerDay: '5', replies: 'some' }, {}],
  [
    'a notice of a later release',
    { notice: { text: 'Hi', kind: 'party', link: 'x' } },
    { notice: { text: 'Hi', kind: 'info' } },
  ],
  ['a notice without a kind', { notice: { text: 'Hi', until: 5 } }, { notice: { text: 'Hi', kind: 'info' } }],
  ['a notice that is no notice', { notice: 'Hi' }, {}],
])('reads %s, and takes no other setting with it', (_what, row, expected) => {
  const others = { defaultModel: 'one', siteTokensPerDay: 5 }
  expect(parseSiteSettings({ ...others, ...row })).toEqual({ ...others, ...expected })
})
