import * as z from 'zod'
import { filesContracts } from '#shared/contracts/files.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { storageGbPerUser, uploadsPerDay } from '../platform/limits.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { linksEndAt } from '../platform/s3/object-store.ts'
import { s3Client } from '../platform/s3/s3-client.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { baseFileRepository } from './base-file-repository.ts'
import { listUses } from './file-row.ts'
import { deleteExpiredFiles } from './delete-files.ts'
import { AttachmentNotFound, AttachmentUnfinished } from './errors.ts'
import {
  toLinkedAttachment,
  createDownloadLink,
  createPreviewLink,
  createViewLink,
  findVersionKey,
  originalKey,
} from './file-links.ts'
import { admitUpload } from './new-file.ts'
import { readingStarter } from './start-reading.ts'
import { beginUpload, completeUpload } from './upload.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  DOCUMENT_READER_FUNCTION: z.string(),
  STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
})
const table = openTable(env.TABLE_NAME)
const store = s3ObjectStore(env.UPLOADS_BUCKET)
const startReading = readingStarter(env.DOCUMENT_READER_FUNCTION)
const fileDeps = { files: baseFileRepository(table, env.STORAGE_GB_PER_USER), store, startReading }
const groupLimits = groupLimitsReader(table, {
  uploads_per_day: requestGuards().limits.scaleLimit(uploadsPerDay),
  storage_gb: env.STORAGE_GB_PER_USER ?? storageGbPerUser,
})
const openFileDeps = ({ storage_gb }: GroupLimits) => ({
  ...fileDeps,
  files: baseFileRepository(table, storage_gb),
})

export const handler = apiFunction('files', filesContracts, {
  'files.presign': async ({ user, body }) => {
    const { sub } = user
    const limits = await groupLimits.find(user)
    await admitUpload(sub, limits)
    const { file, upload, previewUpload } = await beginUpload(openFileDeps(limits), sub, body)
    return {
      success: true as const,
      attachment: await toLinkedAttachment(store, sub, file),
      upload,
      ...(previewUpload && { previewUpload }),
    }
  },

  'files.complete': async ({ user: { sub }, params }) => {
    const file = await completeUpload(fileDeps, sub, params.attachmentId)
    return { success: true as const, attachment: await toLinkedAttachment(store, sub, file) }
  },

  'files.link': async ({ user: { sub }, params, query: { version } }) => {
    const file = await fileDeps.files.find(sub, params.attachmentId)
    if (file.state !== 'ready') throw new AttachmentUnfinished(`upload of ${file.id} is not completed`)
    const key = version === undefined ? originalKey(sub, file.id) : findVersionKey(sub, file, version)
    if (key === undefined) throw new AttachmentNotFound(`no version ${version} of ${file.id}`)
    const [url, downloadUrl, previewUrl, { expiration }] = await Promise.all([
      createViewLink(store, sub, file, key),
      createDownloadLink(store, sub, file, key),
      createPreviewLink(store, sub, file),
      s3Client().config.credentials(),
    ])
    return {
      success: true as const,
      url,
      downloadUrl,
      ...(previewUrl !== undefined && { previewUrl }),
      expires_at: linksEndAt(Date.now(), expiration).toISOString(),
    }
  },

  'files.list': async ({ user, query: { limit, offset } }) => {
    const { sub } = user
    const callerDeps = openFileDeps(await groupLimits.find(user))
    const found = await callerDeps.files.listWithStorage(sub)
    const hasExpired = await deleteExpiredFiles(callerDeps, sub, { files: found.all, nowMs: Date.now() })
    const { files, storage } = hasExpired ? await callerDeps.files.listWithStorage(sub) : found
    const all = files.toSorted(
      (a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at),
    )
    const page = all.slice(offset, offset + limit)
    const attachments = await Promise.all(
      page.map(async (file) => ({
        ...(await toLinkedAttachment(store, sub, file)),
        created_at: file.created_at,
        ...listUses(file),
      })),
    )
    return { success: true as const, attachments, total: all.length, storage }
  },
})
