import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import { downloadUploads, uploadUploads } from './copied-uploads.ts'

const folder = mkdtempSync(join(tmpdir(), 'juno-uploads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const s3 = mockClient(S3Client)
const client = new S3Client({ region: 'eu-central-1' })

it('copies users’ files once, leaves the folder never, and puts them back under their keys', async () => {
  s3.on(ListObjectsV2Command, { Bucket: 'uploads', Prefix: 'users/' }).resolves({
    Contents: [
      { Key: 'users/ann/1/original', Size: 5 },
      { Key: 'users/../../outside', Size: 5 },
    ],
  })
  s3.on(GetObjectCommand).callsFake(() => ({ Body: Readable.from(['hello']) }))
  expect(await downloadUploads(client, 'uploads', folder)).toEqual({ copied: 1, present: 0 })
  expect(await downloadUploads(client, 'uploads', folder)).toEqual({ copied: 0, present: 1 })
  expect(readFileSync(join(folder, 'ann/1/original'), 'utf8')).toBe('hello')
  expect(s3.commandCalls(GetObjectCommand)).toHaveLength(1)

  const sent: unknown[] = []
  s3.on(PutObjectCommand).callsFake(async ({ Body, ...input }: { Body: Readable }) => {
    sent.push({ ...input, text: await text(Body) })
    return {}
  })
  expect(await uploadUploads(client, 'uploads', folder)).toBe(1)
  expect(sent).toEqual([{ Bucket: 'uploads', Key: 'users/ann/1/original', ContentLength: 5, text: 'hello' }])
})

it('says that a folder is not there', async () => {
  await expect(uploadUploads(client, 'uploads', join(folder, 'none'))).rejects.toThrow(OperatorError)
})
