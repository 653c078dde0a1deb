import { expect, it, vi } from 'vitest'
import { noTexts } from '../../test/support/assistants.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { isOpenTo, parseHead, type AssistantHead } from './assistant-reader.ts'

const ann = { sub: 'ann', groups: ['sales', 'staff'] }
const open = (fields: Partial<AssistantHead>) => {
  const head = parseHead('a', { state: 'live', publisher: 'pia', ...fields })
  return head && isOpenTo(head, ann)
}

it.each<[string, Partial<AssistantHead>, boolean]>([
  ['for everyone', { everyone: true }, true],
  ['for a group of the user', { groups: new Set(['legal', 'staff']) }, true],
  ['for another group', { groups: new Set(['legal']) }, false],
  ['for nobody', {}, false],
  ['of the user', { publisher: 'ann' }, true],
  ['that is withdrawn', { state: 'gone', everyone: true, publisher: 'ann' }, false],
  ['whose first version is being made', { state: undefined, everyone: true, publisher: 'ann' }, false],
  ['of a disabled account', { suspended: true, everyone: true }, false],
])('an assistant %s is there: %j, %s', (_, fields, expected) => {
  expect(open(fields)).toBe(expected)
})

it('a head without a version has no audience, no publisher and no texts', () => {
  expect(parseHead('a', {})).toEqual({
    id: 'a',
    version: 0,
    fence: 0,
    ...noTexts,
  })
})

it('a head that cannot be read counts as none, and a picture that cannot be read as no picture', () => {
  const error = vi.spyOn(logger, 'error').mockReturnValue()
  expect(parseHead('a', { state: 'lost' })).toBeUndefined()
  expect(error).toHaveBeenCalledOnce()
  expect(
    parseHead('a', { state: 'live', picture: { version: 1, type: 'image/gif' } })?.picture,
  ).toBeUndefined()
})
