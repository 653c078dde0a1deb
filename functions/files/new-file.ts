import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { getMaxBytes, getStoredType } from '#shared/file-kinds.ts'
import type { Budget } from '../platform/http/rate-limit.ts'
import { requireRight } from '../platform/group-limits.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { uploadsPerDay } from '../platform/limits.ts'
import { FileTooLarge, TooManyUploads } from './errors.ts'
import type { StoredFile } from './file-row.ts'
import { sanitizeFileName } from './file-name.ts'

/** A file of which no byte has arrived. @throws FileTooLarge */
export function newFile(request: RouteRequest<'files.presign'>): StoredFile {
  const name = sanitizeFileName(request.name)
  const type = getStoredType({ name, type: request.type })
  const maxBytes = getMaxBytes({ name, type })
  if (request.size > maxBytes) throw new FileTooLarge({ megabytes: maxBytes / 1024 ** 2 })
  return {
    id: crypto.randomUUID(),
    name,
    type,
    size: request.size,
    state: 'incoming',
    created_at: new Date().toISOString(),
    ...(request.preview && { preview: request.preview }),
  }
}

/**
 * Admits a new file of a user, by whatever way it comes.
 * @param limits in force for the user
 * @throws NotAllowedByGroup, TooManyUploads
 */
export async function admitUpload(sub: string, limits: GroupLimits): Promise<void> {
  requireRight(limits, 'upload')
  await requestGuards().limits.countIn(sub, uploadBudget(limits))
}

/** The new files of a user's day. */
const uploadBudget = ({ uploads_per_day: max = uploadsPerDay }: GroupLimits): Budget => ({
  name: 'uploads',
  max,
  isExact: true,
  windowSeconds: 86_400,
  limitError: (retryAfterSeconds) => new TooManyUploads(max, retryAfterSeconds),
})
