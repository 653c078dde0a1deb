import { beforeEach, expect, it } from 'vitest'
import {
  discardDraft,
  forgetConversationDrafts,
  forgetDrafts,
  hasTemporaryDraft,
  keepDraft,
  keepDraftFiles,
  readDraft,
  readDraftFiles,
  readUnsent,
  saveUnsent,
  setDraftTemporary,
} from './drafts.ts'

const stored = () => JSON.stringify(localStorage)

beforeEach(() => {
  forgetDrafts()
  localStorage.clear()
})

it('the draft of a temporary chat leaves no trace in the storage', () => {
  keepDraft('u/fresh', 'written before the setting was known')
  setDraftTemporary('u/fresh', true)
  expect(stored()).toBe('{}')
  keepDraft('u/fresh', 'a secret')
  keepDraftFiles('u/fresh', [{ name: 'secret.pdf' }])
  expect(stored()).toBe('{}')
  expect(readDraft('u/fresh')).toBe('a secret')
  expect(readDraftFiles('u/fresh')).toEqual([{ name: 'secret.pdf' }])
  expect(hasTemporaryDraft('u/fresh')).toBe(true)
})

it('a draft goes back into the storage when its chat is not temporary after all', () => {
  setDraftTemporary('u/fresh', true)
  keepDraft('u/fresh', 'a text')
  setDraftTemporary('u/fresh', false)
  expect(stored()).toContain('a text')
  expect(hasTemporaryDraft('u/fresh')).toBe(false)
})

it('the draft of a deleted conversation comes back with it, and no write of an upload brings it back alone', () => {
  keepDraft('u/c1', 'unsent')
  keepDraftFiles('u/c1', [{ id: 'f1' }])
  setDraftTemporary('u/c1', true)
  keepDraftFiles('u/c1', [{ id: 'f1' }, { id: 'f2' }])
  expect(stored()).toBe('{}')
  setDraftTemporary('u/c1', false)
  expect([readDraft('u/c1'), readDraftFiles('u/c1').length]).toEqual(['unsent', 2])
  expect(stored()).toContain('unsent')
})

it('a message that was not acknowledged goes with the drafts of its user and of its conversation', () => {
  saveUnsent('u/c1', { id: 'm1' })
  expect(readUnsent('u/c1')).toEqual({ id: 'm1' })
  forgetDrafts('u')
  expect(readUnsent('u/c1')).toEqual({ id: 'm1' })
  forgetDrafts('v')
  expect(readUnsent('u/c1')).toBeNull()
  saveUnsent('u/c1', { id: 'm1' })
  forgetConversationDrafts()
  expect(stored()).toBe('{}')
})

it('a message that was not acknowledged comes back with the conversation whose deletion was undone', () => {
  saveUnsent('u/c1', { id: 'm1' })
  setDraftTemporary('u/c1', true)
  expect(stored()).toBe('{}')
  setDraftTemporary('u/c1', false)
  expect(readUnsent('u/c1')).toEqual({ id: 'm1' })
})

it('signing out forgets the drafts of everybody, in the storage and in the memory', () => {
  keepDraft('u/fresh', 'one')
  keepDraftFiles('v/c1', [{ name: 'two' }])
  setDraftTemporary('u/c2', true)
  keepDraft('u/c2', 'three')
  forgetDrafts()
  expect(stored()).toBe('{}')
  expect(readDraft('u/c2')).toBe('')
})

it('a user who signs in finds their own drafts, and nobody else’s are left', () => {
  keepDraft('u/fresh', 'mine')
  keepDraftFiles('u/c1', [{ name: 'mine' }])
  keepDraft('v/fresh', 'theirs')
  keepDraftFiles('v/c1', [{ name: 'theirs' }])
  setDraftTemporary('v/c2', true)
  keepDraft('v/c2', 'theirs')
  forgetDrafts('u')
  expect(stored()).not.toContain('theirs')
  expect(readDraft('v/c2')).toBe('')
  expect([readDraft('u/fresh'), readDraftFiles('u/c1')]).toEqual(['mine', [{ name: 'mine' }]])
})

it('deleting all conversations leaves the draft of the chat that has not begun', () => {
  keepDraft('u/fresh', 'next')
  keepDraft('u/c1', 'gone')
  keepDraftFiles('u/c2', [{ name: 'gone' }])
  forgetConversationDrafts()
  expect(stored()).toContain('next')
  expect(stored()).not.toContain('gone')
})

it('a discarded draft is gone', () => {
  keepDraft('u/c1', 'x')
  discardDraft('u/c1')
  expect(readDraft('u/c1')).toBe('')
})
