import { expect, it } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { chatApi } from './chat-api.ts'

it('DOC-04 DEC-129 sends the id of the document, but neither its link nor the user', async () => {
  const api = fakeApi({
    'documents.analyze': () => ({
      success: true,
      analysis: 'A plan.',
      error: null,
      hasActualContent: true,
      contentLength: 7,
      reading: { state: 'read', note: 'all 7 characters' },
    }),
  })
  const { signal } = new AbortController()
  const file = { id: 'f1', name: 'plan.docx', type: 'application/msword', size: 9 }
  const link = { url: 'https://bucket.example/plan.docx' }
  await chatApi.analyse({ ...file, ...link }, signal)
  expect(api.requestsTo('documents.analyze')).toEqual([{ body: { file, analysisType: 'analyze' } }])
  expect(JSON.stringify(api.requestsTo('documents.analyze'))).not.toMatch(/url|userId/)
})
