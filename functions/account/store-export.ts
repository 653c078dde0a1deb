import { InvalidToken } from '../platform/errors.ts'
import { uploadObject } from '../platform/s3/object-upload.ts'
import { endWithCredentials, type ObjectStore } from '../platform/s3/object-store.ts'
import { s3Client } from '../platform/s3/s3-client.ts'
import type { TokenRevoker } from '../platform/auth/token-revocation.ts'
import { ExportUnfinished } from './errors.ts'

/** Where a user's newest export is stored; a lifecycle rule of the bucket deletes it one to two days later. */
export const exportKey = (sub: string) => `exports/${sub}.zip`

const exportLinkSeconds = 3_600
/** The upload is ended, and the response sent, this long before the function times out. Checked between parts. */
const deadlineMarginMs = 10_000

/**
 * Stores an export, and signs a link to it.
 * @param zip is read only as fast as it is stored
 * @throws ExportUnfinished if the function's time is up; InvalidToken if the account is being erased; ObjectStoreUnavailable. In each
 *   case no new object remains.
 */
export async function storeExport(
  { store, revocation }: { store: ObjectStore; revocation: Pick<TokenRevoker, 'isErasing'> },
  { sub, zip, remainingMs }: { sub: string; zip: AsyncIterable<Uint8Array>; remainingMs: number },
) {
  const key = exportKey(sub)
  const name = `export-${new Date().toISOString().slice(0, 10)}.zip`
  const uploadDeadlineMs = Date.now() + remainingMs - deadlineMarginMs
  const checkDeadline = () => {
    if (Date.now() > uploadDeadlineMs) throw new ExportUnfinished("the function's time is up")
  }
  const fields = { key, type: 'application/zip', disposition: `attachment; filename="${name}"` }
  const size = await uploadObject(store, fields, zip, checkDeadline)
  try {
    if (await revocation.isErasing(sub, Date.now())) throw new InvalidToken('the account is being erased')
  } catch (error) {
    await store.remove([key])
    throw error
  }
  const { expiration } = await s3Client().config.credentials()
  return {
    success: true as const,
    file_name: name,
    size,
    url: await store.signUrl(key, exportLinkSeconds),
    ends_at: endWithCredentials(Date.now() + exportLinkSeconds * 1_000, expiration).toISOString(),
  }
}
