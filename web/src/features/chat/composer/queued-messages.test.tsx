import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { maxFilesPerMessage } from '#shared/limits.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { announcementStore } from '../../../lib/browser/announce.ts'
import { createUploadQueue } from '../attachments/upload-queue.ts'
import { QueuedMessages } from './queued-messages.tsx'

vi.mock(import('../../../components/ui/toast.ts'), { spy: true })

it('a message that was not sent when the reply finished says no more than that', () => {
  const conversation = fakeConversation()
  conversation.messageQueue.add('Look at this', [])
  const uploadQueue = createUploadQueue({
    upload: () => Promise.withResolvers<never>().promise,
    restored: [],
    onChange: () => undefined,
  })
  render(<QueuedMessages conversation={conversation} uploadQueue={uploadQueue} />)
  expect(screen.getByText('Not sent when the reply finished.')).toBeTruthy()
  for (const { id } of conversation.messageQueue.messages.getState()) conversation.messageQueue.remove(id)
})

it('why a message cannot be edited is told once, and does not stay in place of why it waits', () => {
  const file = (id: number) => ({ id: `${id}`, name: `${id}.txt`, type: 'text/plain', size: 1 })
  const files = Array.from({ length: maxFilesPerMessage }, (_, index) => file(index))
  const uploadQueue = createUploadQueue({
    upload: () => Promise.withResolvers<never>().promise,
    restored: files,
    onChange: () => undefined,
  })
  const conversation = fakeConversation({ isReplying: true })
  conversation.messageQueue.add('Look at this', [file(99)])
  render(<QueuedMessages conversation={conversation} uploadQueue={uploadQueue} />)
  expect(announcementStore.getState().text).toBe('1 message queued')
  fireEvent.click(screen.getByRole('button', { name: 'Edit Look at this' }))
  expect(showToast).toHaveBeenCalledWith(
    'warning',
    'With the files attached below, this message would have too many files.',
  )
  expect(screen.getByText('Sent when the reply is finished')).toBeTruthy()
  expect(screen.getByText('Look at this')).toBeTruthy()
  for (const { id } of conversation.messageQueue.messages.getState()) conversation.messageQueue.remove(id)
})
