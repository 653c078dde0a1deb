import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import { uploadUploads } from './copied-uploads.ts'

const folder = mkdtempSync(join(tmpdir(), 'juno-uploads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const s3 = mockClient(S3Client)
const client = new S3Client({ region: 'eu-central-1' })

it('puts the files of a copy back under their keys', async () => {
  mkdirSync(join(folder, 'ann/1'), { recursive: true })
  writeFileSync(join(folder, 'ann/1/original'), 'hello')
  writeFileSync(join(folder, 'ann/1/text.part'), 'hel')
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
