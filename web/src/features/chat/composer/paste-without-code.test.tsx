import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { createUploadQueue } from '../attachments/upload-queue.ts'
import { Composer } from './composer.tsx'

vi.mock(import('../attachments/attach-pasted-text.ts'), () => {
  throw new Error('offline')
})

it('a long text is pasted as text if the code that attaches it cannot be loaded, and what was typed since stays', async () => {
  const uploadQueue = createUploadQueue({
    upload: () => Promise.withResolvers<never>().promise,
    restored: [],
    onStored: () => undefined,
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
  fireEvent.change(field, { target: { value: 'Look: ' } })
  const pasted = 'x'.repeat(8_001)
  fireEvent.paste(field, { clipboardData: { getData: () => pasted, files: [], items: [] } })
  fireEvent.change(field, { target: { value: 'Look: and see ' } })
  await expect.poll(() => field.value).toBe(`Look: and see ${pasted}`)
})
