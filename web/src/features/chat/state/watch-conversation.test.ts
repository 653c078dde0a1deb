import { expect, it } from 'vitest'
import { saveDraft } from '../../../lib/input/drafts.ts'
import { findRetryLabel } from '../messages/user-message.tsx'
import { newMessage } from './chat-message.ts'
import { loadUnacknowledged, serializeUnacknowledged } from './watch-conversation.ts'

it('after a reload an unacknowledged message still shows which file was deleted, and what Retry leaves out', () => {
  const files = ['a', 'b'].map((id) => ({ id, name: `${id}.png`, type: 'image/png', size: 3 }))
  const [deleted, present] = [{ ...files[0]!, isDeleted: true }, files[1]!]
  const message = newMessage('s', 'Compare', [deleted, { ...present, url: 'https://bucket.example/b' }])
  saveDraft('u/s', 'unacknowledged', serializeUnacknowledged(message))
  const loaded = loadUnacknowledged('u/s', 's')[0]!
  expect(loaded.attachments).toEqual([deleted, present])
  expect(findRetryLabel(loaded)).toBe('Send without deleted files')
})

it('an attachment of another form is dropped', () => {
  const file = { id: 'a', name: 'a.png', type: 'image/png', size: 3, isDeleted: 'yes' }
  saveDraft('u/s', 'unacknowledged', { ...newMessage('s', 'Hi', []), attachments: [file] })
  expect(loadUnacknowledged('u/s', 's')[0]?.attachments).toEqual([])
})
