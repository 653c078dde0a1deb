import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openObjectStore, ObjectStoreUnavailable } from '../../functions/platform/s3/object-store.ts'
import { putObject } from '../../functions/platform/s3/object-writer.ts'
import { AttachmentNotFound } from '../../functions/files/errors.ts'
import { readingRepository } from '../../functions/files/reading-repository.ts'
import { fileRepository } from '../../functions/files/file-repository.ts'
import { deleteFile } from '../../functions/files/delete-files.ts'
import { completeUpload } from '../../functions/files/upload.ts'
import { analyzeDocument } from '../../functions/documents/analyze-document.ts'
import { openTestTable } from '../support/table.ts'

// The store fails at every call; the rows in the table must not change.

let table: Awaited<ReturnType<typeof openTestTable>>
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(503).end()
})
beforeAll(async () => {
  table = await openTestTable()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'k')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 's')
})
afterAll(async () => {
  server.close()
  await table.close()
})

it('a store that is down is reported at every step, and nothing is lost', async () => {
  const files = fileRepository(table)
  const store = openObjectStore('uploads')
  const deps = { files, store, startReading: async () => undefined }
  const sub = crypto.randomUUID()
  const file = { id: 'a', name: 'a.txt', type: 'text/plain', size: 1, created_at: new Date().toISOString() }
  await files.put(sub, { ...file, state: 'incoming' })
  await expect(completeUpload(deps, sub, 'a')).rejects.toThrow(ObjectStoreUnavailable)
  expect((await files.find(sub, 'a')).state).toBe('incoming')
  await files.markReady(sub, { id: 'a', type: 'text/plain' })
  const text = {
    characters: 1,
    bytes: 1,
    parts: [[0, 0] as [number, number]],
    languages: [],
    isIndexed: true,
  }
  const reading = { status: 'whole' as const, note: 'read in full' }
  await readingRepository(table).save(sub, 'a', {
    reading,
    extractedText: 'x',
    length: 1,
    text,
    pictures: undefined,
    tables: undefined,
    scans: undefined,
  })
  const analyzed = analyzeDocument({ ...deps, files: readingRepository(table) }, sub, {
    file: { id: 'a', name: 'a.txt' },
    analysisType: 'analyze',
  })
  await expect(analyzed).rejects.toThrow(ObjectStoreUnavailable)
  await expect(putObject(store, { key: 'k', body: new Uint8Array(1), type: 'x/y' })).rejects.toThrow(
    ObjectStoreUnavailable,
  )
  expect(await files.find(sub, 'a')).toMatchObject({ state: 'ready' })
  await expect(deleteFile(deps, sub, 'a')).rejects.toThrow(ObjectStoreUnavailable)
  expect(await files.findAny(sub, 'a')).toMatchObject({ deleted_at: expect.any(String) })
  await expect(files.find(sub, 'b')).rejects.toThrow(AttachmentNotFound)
})
