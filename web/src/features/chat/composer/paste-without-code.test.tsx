import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { createUploadQueue } from '../attachments/upload-queue.ts'
import { Composer } from './composer.tsx'

vi.mock(import('../attachments/attach-pasted-text.ts'), () => {
  throw new Error('offline')
})

const pasted = 'x'.repeat(8_001)

function renderComposer() {
  const uploadQueue = createUploadQueue({
    upload: () => Promise.withResolvers<never>().promise,
    restored: [],
    onChange: () => undefined,
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Composer
        assistantName="Ada"
        draftKey="u/paste"
        uploadQueue={uploadQueue}
        conversation={fakeConversation()}
        onSend={() => true}
      />
    </QueryClientProvider>,
  )
  const field = screen.getByPlaceholderText<HTMLTextAreaElement>('Message Ada...')
  return { field, uploadQueue }
}

it('a long text is pasted as text if the code that attaches it cannot be loaded, and what was typed since stays', async () => {
  const { field } = renderComposer()
  fireEvent.change(field, { target: { value: 'Look: ' } })
  fireEvent.paste(field, { clipboardData: { getData: () => pasted, files: [], items: [] } })
  fireEvent.change(field, { target: { value: 'Look: and see ' } })
  await expect.poll(() => field.value).toBe(`Look: and see ${pasted}`)
})

it('such a text is pasted at the caret, in place of what is selected', async () => {
  const { field } = renderComposer()
  fireEvent.change(field, { target: { value: 'Look: THIS at the end' } })
  field.setSelectionRange(6, 10)
  fireEvent.paste(field, { clipboardData: { getData: () => pasted, files: [], items: [] } })
  await expect.poll(() => field.value).toBe(`Look: ${pasted} at the end`)
  expect(field.selectionStart).toBe(6 + pasted.length)
})

it('a selection of messages is pasted as Markdown, in place of what is selected', () => {
  const { field } = renderComposer()
  fireEvent.change(field, { target: { value: 'Look: THIS at the end' } })
  field.setSelectionRange(6, 10)
  const copied: Record<string, string> = {
    'text/plain': 'a link',
    'text/markdown': '[a](https://b.example) link',
  }
  const getData = (type: string) => copied[type] ?? ''
  fireEvent.paste(field, { clipboardData: { getData, files: [], items: [] } })
  expect(field.value).toBe('Look: [a](https://b.example) link at the end')
})

it('a long text is not stored if the user has signed out before its code could not be loaded', async () => {
  const { field, uploadQueue } = renderComposer()
  fireEvent.change(field, { target: { value: '' } })
  fireEvent.paste(field, { clipboardData: { getData: () => pasted, files: [], items: [] } })
  uploadQueue.close()
  await expect(import('../attachments/attach-pasted-text.ts')).rejects.toThrow('mocking a module')
  await Promise.resolve()
  expect(field.value).toBe('')
})
