import { beforeEach, expect, it, vi } from 'vitest'
import {
  composerDraftKey,
  discardDraft,
  hasTemporaryDraft,
  listDrafts,
  readDraft,
  readDraftList,
  readDraftPart,
  saveDraft,
  moveDraft,
} from './drafts.ts'
import { clearConversationDrafts, removeConversationDrafts } from '../conversations/conversation-drafts.ts'
import { removeInputs } from './inputs.ts'

const getStoredText = () => {
  dispatchEvent(new Event('pagehide'))
  return JSON.stringify(localStorage)
}

beforeEach(() => {
  removeInputs()
  localStorage.clear()
})

it('does not store the draft of a temporary chat', () => {
  saveDraft('u/fresh', 'text', 'written before the setting was known')
  moveDraft('u/fresh', 'memory')
  expect(getStoredText()).toBe('{}')
  saveDraft('u/fresh', 'text', 'a secret')
  saveDraft('u/fresh', 'files', [{ name: 'secret.pdf' }])
  expect(getStoredText()).toBe('{}')
  expect(readDraft('u/fresh')).toBe('a secret')
  expect(readDraftList('u/fresh', 'files')).toEqual([{ name: 'secret.pdf' }])
  expect(hasTemporaryDraft('u/fresh')).toBe(true)
})

it('stores a draft again when its chat is no longer temporary', () => {
  moveDraft('u/fresh', 'memory')
  saveDraft('u/fresh', 'text', 'a text')
  moveDraft('u/fresh', 'storage')
  expect(getStoredText()).toContain('a text')
  expect(hasTemporaryDraft('u/fresh')).toBe(false)
})

it('restores the draft of a deleted conversation with it; an upload that finishes meanwhile does not store it', () => {
  saveDraft('u/c1', 'text', 'unsent')
  saveDraft('u/c1', 'files', [{ id: 'f1' }])
  moveDraft('u/c1', 'memory')
  saveDraft('u/c1', 'files', [{ id: 'f1' }, { id: 'f2' }])
  expect(getStoredText()).toBe('{}')
  moveDraft('u/c1', 'storage')
  expect([readDraft('u/c1'), readDraftList('u/c1', 'files').length]).toEqual(['unsent', 2])
  expect(getStoredText()).toContain('unsent')
})

it('removes a message that was not acknowledged with the drafts of its user, and with those of conversations', () => {
  saveDraft('u/c1', 'unacknowledged', { id: 'm1' })
  expect(readDraftPart('u/c1', 'unacknowledged')).toEqual({ id: 'm1' })
  removeInputs('u')
  expect(readDraftPart('u/c1', 'unacknowledged')).toEqual({ id: 'm1' })
  removeInputs('v')
  expect(readDraftPart('u/c1', 'unacknowledged')).toBeNull()
  saveDraft('u/c1', 'unacknowledged', { id: 'm1' })
  removeConversationDrafts()
  expect(getStoredText()).toBe('{}')
})

it('restores a message that was not acknowledged when the deletion of its conversation is undone', () => {
  saveDraft('u/c1', 'unacknowledged', { id: 'm1' })
  moveDraft('u/c1', 'memory')
  expect(getStoredText()).toBe('{}')
  moveDraft('u/c1', 'storage')
  expect(readDraftPart('u/c1', 'unacknowledged')).toEqual({ id: 'm1' })
})

it('signing out removes the drafts of all users, in storage and in memory', () => {
  saveDraft('u/fresh', 'text', 'one')
  saveDraft('v/c1', 'files', [{ name: 'two' }])
  moveDraft('u/c2', 'memory')
  saveDraft('u/c2', 'text', 'three')
  removeInputs()
  expect(getStoredText()).toBe('{}')
  expect(readDraft('u/c2')).toBe('')
})

it('keeps the drafts of the user who signs in, and removes those of all others', () => {
  saveDraft('u/fresh', 'text', 'mine')
  saveDraft('u/c1', 'files', [{ name: 'mine' }])
  saveDraft('v/fresh', 'text', 'theirs')
  saveDraft('v/c1', 'files', [{ name: 'theirs' }])
  moveDraft('v/c2', 'memory')
  saveDraft('v/c2', 'text', 'theirs')
  removeInputs('u')
  expect(getStoredText()).not.toContain('theirs')
  expect(readDraft('v/c2')).toBe('')
  expect([readDraft('u/fresh'), readDraftList('u/c1', 'files')]).toEqual(['mine', [{ name: 'mine' }]])
})

it('has a separate draft for the new chat of each tab, and lists all of them', () => {
  saveDraft('u/fresh:one', 'text', 'one')
  saveDraft('u/fresh:two', 'files', [{ id: 'f' }])
  saveDraft('u/c1', 'queue', [{ id: 'q' }])
  expect(listDrafts().toSorted()).toEqual(['u/c1', 'u/fresh:one', 'u/fresh:two'])
  removeConversationDrafts()
  expect(listDrafts().toSorted()).toEqual(['u/fresh:one', 'u/fresh:two'])
})

it('keeps the draft of a new chat when all conversations are deleted', () => {
  saveDraft('u/fresh', 'text', 'next')
  saveDraft('u/c1', 'text', 'gone')
  saveDraft('u/c2', 'files', [{ name: 'gone' }])
  removeConversationDrafts()
  expect(getStoredText()).toContain('next')
  expect(getStoredText()).not.toContain('gone')
})

it('deletes a discarded draft', () => {
  saveDraft('u/c1', 'text', 'x')
  discardDraft('u/c1')
  expect(readDraft('u/c1')).toBe('')
})

it('two tabs on one conversation neither overwrite nor delete what the other holds; deleting it removes both', () => {
  const otherTab = 'u/c1:other'
  saveDraft(composerDraftKey('u', 'c1'), 'text', 'short')
  saveDraft(otherTab, 'text', 'a careful long answer')
  // sent in this tab
  saveDraft(composerDraftKey('u', 'c1'), 'text', '')
  expect(readDraft(otherTab)).toBe('a careful long answer')
  clearConversationDrafts('u', 'c1')
  expect(getStoredText()).toBe('{}')
})

it('does not write a long text with every key press, but before the page goes', () => {
  const write = vi.spyOn(Storage.prototype, 'setItem')
  const text = 'x'.repeat(100_000)
  for (let count = 0; count < 20; count += 1) saveDraft('u/c1:tab', 'text', text + count)
  expect(write).not.toHaveBeenCalled()
  expect(readDraft('u/c1:tab')).toBe(`${text}19`)
  expect(getStoredText()).toContain('x19')
  expect(write.mock.calls.filter(([key]) => key === 'draft:u/c1:tab')).toHaveLength(1)
})
