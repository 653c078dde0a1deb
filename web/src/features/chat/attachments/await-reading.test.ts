import { expect, it } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { awaitReading } from './upload-file.ts'

it('DOC-04 DEC-129 asks for the reading by the id of the document, not by its link or its user, until it has ended', async () => {
  const analysis = { success: true, analysis: '', error: null, hasActualContent: true, contentLength: 7 }
  const read = { state: 'read', note: 'all 7 characters' } as const
  let answers = 0
  const api = fakeApi({
    'documents.analyze': () => ({ ...analysis, reading: (answers += 1) > 1 ? read : { state: 'pending' } }),
  })
  const file = { id: 'f1', name: 'plan.docx', type: 'application/msword', size: 9 }
  const link = { url: 'https://bucket.example/plan.docx' }
  const { signal } = new AbortController()
  expect(await awaitReading({ ...file, ...link }, signal)).toEqual(read)
  const request = { body: { file, analysisType: 'analyze' } }
  expect(api.requestsTo('documents.analyze')).toEqual([request, request])
})
