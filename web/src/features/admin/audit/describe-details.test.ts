import { expect, it } from 'vitest'
import { describeDetails } from './describe-details.ts'

it('names the settings of the site as their form does, and what they were changed to', () => {
  const details = {
    signUp: 'closed',
    tokensPerDay: 200_000,
    notice: '-',
    replies: 'off',
    schedules: '-',
    ofAnEarlierVersion: 'x',
  }
  expect(describeDetails({ action: 'site.updated', details })).toEqual([
    'Sign-up: by invitation',
    'Each person, per day: 200,000',
    'Notice: as deployed',
    'Stop all replies: yes',
    'Stop all schedules: no',
    'ofAnEarlierVersion: x',
  ])
})

it('says for whom an assistant was published, and which was withdrawn', () => {
  expect(
    describeDetails({ action: 'assistant.published', details: { project: 'p1', everyone: true } }),
  ).toEqual(['Project ID: p1', 'Everyone here: yes'])
  expect(describeDetails({ action: 'assistant.withdrawn', details: { assistant: 'a1' } })).toEqual([
    'Assistant ID: a1',
  ])
})

it('leaves out what is empty', () => {
  const details = { added: [], removed: ['staff'], failed: 0, project: '' }
  expect(describeDetails({ action: 'user.groups_changed', details })).toEqual(['Removed: staff'])
})

it.each([
  [
    'site.updated',
    { notice: '-', failed: 'internal_error' },
    ['Notice: as deployed', 'Failed: internal_error'],
  ],
  [
    'group.updated',
    { max_schedules: 0, changed: ['limits'], failed: 'group_changed' },
    ['No scheduled messages', 'Changed: Limits', 'Failed: group_changed'],
  ],
  ['user.disabled', { user: 'u1', failed: 'not_found' }, ['User ID: u1', 'Failed: not_found']],
] as const)('names the failure of %s apart from what was to change', (action, details, phrases) => {
  expect(describeDetails({ action, details: structuredClone(details) as never })).toEqual(phrases)
})
