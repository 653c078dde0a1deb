import { uploadObject } from '../platform/s3/object-upload.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import type { TokenRevoker } from '../platform/auth/token-revocation.ts'
import { ExportUnfinished } from './errors.ts'

/** Where a user's newest export is stored; a rule of the bucket deletes it a day after it was made. */
export const exportKey = (sub: string) => `exports/${sub}.zip`

const linkSeconds = 3_600
/** The upload is ended, and the answer sent, this long before the function would be ended from outside. */
const deadlineMarginMs = 10_000

/**
 * Stores an export, and signs a link to it.
 * @param zip read only as fast as it is stored
 * @throws ExportUnfinished if the time of the call is over, or the account was erased; ObjectStoreUnavailable. Then there is no object
 */
export async function storeExport(
  { store, revocation }: { store: ObjectStore; revocation: Pick<TokenRevoker, 'isErasing'> },
  { sub, zip, remainingMs }: { sub: string; zip: AsyncIterable<Uint8Array>; remainingMs: number },
) {
  const key = exportKey(sub)
  const name = `export-${new Date().toISOString().slice(0, 10)}.zip`
  const endsAtMs = Date.now() + remainingMs - deadlineMarginMs
  const checkDeadline = () => {
    if (Date.now() > endsAtMs) throw new ExportUnfinished('the time of the call is over')
  }
  const fields = { key, type: 'application/zip', disposition: `attachment; filename="${name}"` }
  const size = await uploadObject(store, fields, zip, checkDeadline)
  if (await revocation.isErasing(sub, Date.now())) {
    await store.remove([key])
    throw new ExportUnfinished('the account is being erased')
  }
  const ends_at = new Date(Date.now() + linkSeconds * 1_000).toISOString()
  return {
    success: true as const,
    file_name: name,
    size,
    url: await store.readUrl(key, linkSeconds),
    ends_at,
  }
}
