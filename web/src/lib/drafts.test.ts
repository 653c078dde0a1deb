import { beforeEach, expect, it } from 'vitest'
import {
  discardDraft,
  removeConversationDrafts,
  removeDrafts,
  hasTemporaryDraft,
  listDrafts,
  readDraft,
  readDraftList,
  readDraftPart,
  saveDraft,
  setDraftTemporary,
} from './drafts.ts'

const stored = () => JSON.stringify(localStorage)

beforeEach(() => {
  removeDrafts()
  localStorage.clear()
})

it('the draft of a temporary chat leaves no trace in the storage', () => {
  saveDraft('u/fresh', 'text', 'written before the setting was known')
  setDraftTemporary('u/fresh', true)
  expect(stored()).toBe('{}')
  saveDraft('u/fresh', 'text', 'a secret')
  saveDraft('u/fresh', 'files', [{ name: 'secret.pdf' }])
  expect(stored()).toBe('{}')
  expect(readDraft('u/fresh')).toBe('a secret')
  expect(readDraftList('u/fresh', 'files')).toEqual([{ name: 'secret.pdf' }])
  expect(hasTemporaryDraft('u/fresh')).toBe(true)
})

it('a draft goes back into the storage when its chat is not temporary after all', () => {
  setDraftTemporary('u/fresh', true)
  saveDraft('u/fresh', 'text', 'a text')
  setDraftTemporary('u/fresh', false)
  expect(stored()).toContain('a text')
  expect(hasTemporaryDraft('u/fresh')).toBe(false)
})

it('the draft of a deleted conversation comes back with it, and no write of an upload brings it back alone', () => {
  saveDraft('u/c1', 'text', 'unsent')
  saveDraft('u/c1', 'files', [{ id: 'f1' }])
  setDraftTemporary('u/c1', true)
  saveDraft('u/c1', 'files', [{ id: 'f1' }, { id: 'f2' }])
  expect(stored()).toBe('{}')
  setDraftTemporary('u/c1', false)
  expect([readDraft('u/c1'), readDraftList('u/c1', 'files').length]).toEqual(['unsent', 2])
  expect(stored()).toContain('unsent')
})

it('a message that was not acknowledged goes with the drafts of its user and of its conversation', () => {
  saveDraft('u/c1', 'unsent', { id: 'm1' })
  expect(readDraftPart('u/c1', 'unsent')).toEqual({ id: 'm1' })
  removeDrafts('u')
  expect(readDraftPart('u/c1', 'unsent')).toEqual({ id: 'm1' })
  removeDrafts('v')
  expect(readDraftPart('u/c1', 'unsent')).toBeNull()
  saveDraft('u/c1', 'unsent', { id: 'm1' })
  removeConversationDrafts()
  expect(stored()).toBe('{}')
})

it('a message that was not acknowledged comes back with the conversation whose deletion was undone', () => {
  saveDraft('u/c1', 'unsent', { id: 'm1' })
  setDraftTemporary('u/c1', true)
  expect(stored()).toBe('{}')
  setDraftTemporary('u/c1', false)
  expect(readDraftPart('u/c1', 'unsent')).toEqual({ id: 'm1' })
})

it('signing out forgets the drafts of everybody, in the storage and in the memory', () => {
  saveDraft('u/fresh', 'text', 'one')
  saveDraft('v/c1', 'files', [{ name: 'two' }])
  setDraftTemporary('u/c2', true)
  saveDraft('u/c2', 'text', 'three')
  removeDrafts()
  expect(stored()).toBe('{}')
  expect(readDraft('u/c2')).toBe('')
})

it('a user who signs in finds their own drafts, and nobody else’s are left', () => {
  saveDraft('u/fresh', 'text', 'mine')
  saveDraft('u/c1', 'files', [{ name: 'mine' }])
  saveDraft('v/fresh', 'text', 'theirs')
  saveDraft('v/c1', 'files', [{ name: 'theirs' }])
  setDraftTemporary('v/c2', true)
  saveDraft('v/c2', 'text', 'theirs')
  removeDrafts('u')
  expect(stored()).not.toContain('theirs')
  expect(readDraft('v/c2')).toBe('')
  expect([readDraft('u/fresh'), readDraftList('u/c1', 'files')]).toEqual(['mine', [{ name: 'mine' }]])
})

it('each tab’s chat that has not started has a draft of its own, and all of them are listed', () => {
  saveDraft('u/fresh:one', 'text', 'one')
  saveDraft('u/fresh:two', 'files', [{ id: 'f' }])
  saveDraft('u/c1', 'queue', [{ id: 'q' }])
  expect(listDrafts().toSorted()).toEqual(['u/c1', 'u/fresh:one', 'u/fresh:two'])
  removeConversationDrafts()
  expect(listDrafts().toSorted()).toEqual(['u/fresh:one', 'u/fresh:two'])
})

it('deleting all conversations leaves the draft of the chat that has not started', () => {
  saveDraft('u/fresh', 'text', 'next')
  saveDraft('u/c1', 'text', 'gone')
  saveDraft('u/c2', 'files', [{ name: 'gone' }])
  removeConversationDrafts()
  expect(stored()).toContain('next')
  expect(stored()).not.toContain('gone')
})

it('deletes a discarded draft', () => {
  saveDraft('u/c1', 'text', 'x')
  discardDraft('u/c1')
  expect(readDraft('u/c1')).toBe('')
})
