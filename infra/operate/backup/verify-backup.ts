import type { BackupStore } from './backup-store.ts'
import { checkObject, listParts, loadManifest, type Manifest, objectLine, readPart } from './manifest.ts'

/**
 * Reads all of a backup and compares it with its manifest.
 * @throws OperatorError when it is not complete, or something is missing or changed
 */
export async function verifyBackup(store: BackupStore): Promise<Manifest> {
  const manifest = await loadManifest(store)
  for (const part of manifest.parts) if (part.kind !== 'objects') await readPart(store, part)
  for (const part of listParts(manifest, 'objects'))
    for (const line of await readPart(store, part)) await checkObject(store, objectLine.parse(line))
  return manifest
}
