import { assistantRepository } from '../../functions/assistants/assistant-repository.ts'
import { storageQuota } from '../../functions/files/storage-quota.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { openObjectStore } from '../../functions/platform/s3/object-store.ts'

/** The assistants of a test's table; their objects are in the bucket `uploads`. */
export const openAssistants = (table: Table) =>
  assistantRepository(table, { store: openObjectStore('uploads'), quota: storageQuota(table, undefined) })

/** For replies of conversations without one. */
export const noAssistants = {
  find: () => Promise.resolve(undefined),
  loadVersion: () => Promise.resolve(undefined),
  countUse: () => Promise.resolve(),
}

/** The texts of a head that has none. */
export const noTexts = {
  publisher: '',
  publisher_name: '',
  project_id: '',
  name: '',
  description: '',
  starters: [],
  tools: [],
  disabled_tools: [],
  published_at: '',
}
