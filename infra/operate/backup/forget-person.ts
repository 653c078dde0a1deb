import { invitationKey } from '../../../functions/sign-in/invitations.ts'
import { hashOwner } from '../../../functions/platform/auth/link-suspension.ts'
import { userHash } from '../../../functions/platform/telemetry/logger.ts'
import { foldEmail } from '#shared/user-pool.ts'
import type { BackupStore } from './backup-store.ts'
import { decodeItem, encodeItem, replaceTexts } from './items.ts'
import {
  hashPerson,
  listParts,
  loadManifest,
  type Manifest,
  objectLine,
  type Part,
  readPart,
  toObjectName,
  userLine,
  writeManifest,
  writePart,
} from './manifest.ts'
import { findObjectOwner, findRowKind, findRowOwner, partitionOwners } from './row-kinds.ts'

/** number and revision of a part */
const partName = /^[a-z]+-(\d+)(?:-(\d+))?\./

interface Person {
  readonly sub: string
  /** lower case; absent if the backup has no account of theirs */
  readonly email?: string | undefined
}

/**
 * Erases a person from a backup: their rows, files and account; in the audit log their address becomes the hash of the logs. First the
 * manifest names them among those who are never restored, so that an interruption leaves nothing that could return; then parts are
 * written anew without them, and the former ones removed. Can be repeated.
 * @param whom an address or an id
 * @returns how many rows and files were erased; undefined if the backup knows nobody by that name
 */
export async function forgetPerson(
  store: BackupStore,
  whom: string,
): Promise<{ rows: number; objects: number } | undefined> {
  let manifest = await loadManifest(store)
  await removeFormerParts(store, manifest)
  const people = await findPeople(store, manifest, whom)
  if (people.length === 0) return undefined
  const hashes = people.map(({ sub }) => hashPerson(sub))
  manifest = { ...manifest, forgotten: [...new Set([...manifest.forgotten, ...hashes])] }
  await writeManifest(store, manifest)

  const owners = partitionOwners()
  for (const part of listParts(manifest, 'rows'))
    for (const line of await readPart(store, part)) owners.learn(decodeItem(line as Record<string, unknown>))
  const ids = new Set(
    people.flatMap(({ sub, email }) => [
      sub,
      hashOwner(sub),
      ...(email === undefined ? [] : [invitationKey(email).SK]),
    ]),
  )
  const hide = (text: string) => {
    const person = people.find(({ email }) => email !== undefined && email === foldEmail(text))
    return person ? userHash(person.sub) : text
  }
  let rows = 0
  let objects = 0

  for (const part of manifest.parts) {
    const lines = await readPart(store, part)
    const removedObjects: string[] = []
    let isChanged = false
    const remaining = lines.flatMap((line) => {
      if (part.kind === 'users') {
        if (!ids.has(userLine.parse(line).sub)) return [line]
        manifest = { ...manifest, users: manifest.users - 1 }
      } else if (part.kind === 'objects') {
        const { key, size } = objectLine.parse(line)
        if (!ids.has(findObjectOwner(key, owners) ?? '')) return [line]
        removedObjects.push(key)
        const { count, bytes } = manifest.objects
        manifest = { ...manifest, objects: { count: count - 1, bytes: bytes - size } }
        objects += 1
      } else if (part.kind === 'rows') {
        const item = decodeItem(line as Record<string, unknown>)
        const kind = findRowKind(item)
        const owner = kind && findRowOwner(kind, item, owners)
        if (!kind || owner === undefined || !ids.has(owner)) {
          if (kind?.name !== 'audit log') return [line]
          const hidden = encodeItem(replaceTexts(item, hide))
          isChanged ||= JSON.stringify(hidden) !== JSON.stringify(line)
          return [hidden]
        }
        const count = manifest.rows[kind.name] ?? 0
        manifest = { ...manifest, rows: { ...manifest.rows, [kind.name]: count - 1 } }
        rows += 1
      } else return [line]
      isChanged = true
      return []
    })
    if (!isChanged) continue
    for (const key of removedObjects) await store.remove(toObjectName(key))
    manifest = await replacePart(store, manifest, part, remaining)
  }
  return { rows, objects }
}

/** The manifest names the new part before the former one is removed. */
async function replacePart(
  store: BackupStore,
  manifest: Manifest,
  former: Part,
  lines: readonly unknown[],
): Promise<Manifest> {
  const [, number = '', revision = '0'] = partName.exec(former.name) ?? []
  const part = await writePart(store, { kind: former.kind, number, revision: Number(revision) + 1 }, lines)
  const changed = { ...manifest, parts: manifest.parts.map((one) => (one.name === former.name ? part : one)) }
  await writeManifest(store, changed)
  await store.remove(former.name)
  return changed
}

/** What an interruption between the two steps of `replacePart` has left. */
async function removeFormerParts(store: BackupStore, { parts }: Manifest): Promise<void> {
  for (const { name, kind } of parts) {
    const [, number = '', revision] = partName.exec(name) ?? []
    if (revision === undefined) continue
    const former = Number(revision) - 1
    await store.remove(`${kind}-${number}${former === 0 ? '' : `-${former}`}.jsonl.gz`)
  }
}

/** Accounts with this address or id; an id also when the backup has no account of it. */
async function findPeople(store: BackupStore, manifest: Manifest, whom: string): Promise<Person[]> {
  const found: Person[] = []
  for (const part of listParts(manifest, 'users'))
    for (const line of await readPart(store, part)) {
      const { sub, attributes } = userLine.parse(line)
      const email = foldEmail(attributes['email'] ?? '')
      if (sub === whom || email === foldEmail(whom)) found.push({ sub, email })
    }
  if (found.length > 0 || whom.includes('@')) return found
  return [{ sub: whom }]
}
