import { createRef } from 'react'
import { expect, it } from 'vitest'
import { readDraft } from '../../../lib/input/drafts.ts'
import { attachPastedText } from './attach-pasted-text.ts'
import { createUploadQueue } from './upload-queue.ts'

it('stores nothing for a user who has signed out since the paste', () => {
  const queue = createUploadQueue({
    upload: () => new Promise(() => undefined),
    restored: [],
    onChange: () => undefined,
  })
  queue.close()
  attachPastedText({ queue, text: 'a long text', input: createRef(), draftKey: 'u/pasted' })
  expect(readDraft('u/pasted')).toBe('')
})
