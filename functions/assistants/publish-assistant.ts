import type { PublishRequest } from '#shared/contracts/assistants.ts'
import { isDocument } from '#shared/file-kinds.ts'
import {
  maxAssistantDescriptionCharacters,
  maxAssistantNewsCharacters,
  maxStarterCharacters,
  maxStarters,
} from '#shared/limits.ts'
import { sayAssistant } from '#shared/sentences/assistants.ts'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import type { FileRepository } from '../files/file-repository.ts'
import { indexKey, picturesKey, tablesKey, textKey, vectorsKey } from '../files/file-links.ts'
import { isRead, type StoredFile } from '../files/file-row.ts'
import type { StartReading } from '../files/start-reading.ts'
import type { User } from '../platform/auth/access-token.ts'
import { BadRequest } from '../platform/errors.ts'
import { maxAssistants, maxAudienceGroups, maxListedAssistants } from '../platform/limits.ts'
import { copyObject } from '../platform/s3/object-writer.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { findProjectFiles } from '../projects/project-files.ts'
import { toProjectName, type ProjectRepository, type StoredProject } from '../projects/project-repository.ts'
import type { PromptRepository } from '../projects/prompt-repository.ts'
import { sanitizeLine } from '../platform/sanitize-line.ts'
import type { AssistantHead, PublishedFile } from './assistant-reader.ts'
import { findPicture } from './assistant-picture.ts'
import type { AssistantRepository, HeadValues } from './assistant-repository.ts'
import { FilesBeingRead, PublishConflict, TooManyAssistants, TooManyListedAssistants } from './errors.ts'
import { publishedKey, toObjectName } from './published-files.ts'
import { parsePicture, storePicture } from './store-picture.ts'

export interface PublishDeps {
  assistants: AssistantRepository
  projects: Pick<ProjectRepository, 'find' | 'require'>
  prompts: Pick<PromptRepository, 'list'>
  files: Pick<FileRepository, 'findMany' | 'reserveText'>
  store: ObjectStore
  startReading: StartReading
  /** the integrations that the publisher has connected and the catalogue knows */
  listConnected: (sub: string) => Promise<AssistantHead['tools']>
  /** throws if the caller's token was revoked: a group was lost, the account disabled or erased */
  checkToken: () => Promise<void>
  /** the groups that the publisher may name */
  audienceGroups: readonly string[]
  publisherName: string
  sleep: (ms: number) => Promise<unknown>
}

/** How long publishing waits for documents that are being read: the gateway waits for 29 s. */
const readingMs = 15_000
const pollMs = 500
const copiesAtOnce = 16
/** Attempts when the assistant is withdrawn at the same moment. */
const maxAttempts = 3

/** @throws BadRequest for a group that the caller may not name */
function toAudience(
  audience: PublishRequest['audience'],
  audienceGroups: readonly string[],
): Pick<AssistantHead, 'everyone' | 'groups'> {
  if (audience === 'everyone') return { everyone: true }
  const groups = new Set(audience.groups)
  const others = [...groups].filter((name) => !audienceGroups.includes(name))
  if (others.length > 0)
    throw new BadRequest(sayAssistant('bad_request.not_your_group', { names: others.slice(0, 5).join(', ') }))
  if (groups.size > maxAudienceGroups)
    throw new BadRequest(sayAssistant('bad_request.too_many_groups', { max: maxAudienceGroups }))
  return { groups }
}

/**
 * The files of a project when all of them are read. Nobody may be reading them: those of an earlier release, or whose reading got lost; so it
 * starts their reading, too.
 * @throws FilesBeingRead
 */
async function findReadFiles(
  { files, startReading, sleep }: Pick<PublishDeps, 'files' | 'startReading' | 'sleep'>,
  sub: string,
  project: StoredProject,
): Promise<StoredFile[]> {
  const endsAtMs = performance.now() + readingMs
  for (let isStarted = false; ; isStarted = true) {
    const found = await findProjectFiles(files, sub, project)
    const pending = found.filter((file) => isDocument(file) && !isRead(file)).map(({ id }) => id)
    if (pending.length === 0) return found
    if (performance.now() >= endsAtMs) throw new FilesBeingRead(`file ${pending[0]} is not read yet`)
    if (!isStarted) await startReading(sub, pending)
    await sleep(pollMs)
  }
}

/** The objects of what was read of a file. */
function listObjects(
  sub: string,
  { id, text, pictures, scans, tables, vectors_model }: StoredFile,
): string[] {
  return [
    ...(text ? [textKey(sub, id)] : []),
    ...(text?.isIndexed ? [indexKey(sub, id)] : []),
    ...(vectors_model !== undefined ? [vectorsKey(sub, id)] : []),
    ...(pictures || scans ? [picturesKey(sub, id)] : []),
    ...(tables ? [tablesKey(sub, id)] : []),
  ]
}

/** A file of a version, and the publisher's file that it was made of. */
interface CopiedFile {
  id: string
  file: PublishedFile
}

/** Copies texts, indexes, pages and tables, and never an original. @returns the files as the version has them, without what is gone by now */
async function copyFiles(
  { store, files: repository }: Pick<PublishDeps, 'store' | 'files'>,
  sub: string,
  version: Parameters<typeof publishedKey>[0],
  files: readonly StoredFile[],
): Promise<CopiedFile[]> {
  const numbered = files.map((file, index) => ({ file, n: index + 1 }))
  const wanted = numbered.flatMap(({ file, n }) => listObjects(sub, file).map((from) => ({ file, n, from })))
  const copied = new Map<number, string[]>()
  for (let at = 0; at < wanted.length; at += copiesAtOnce)
    await Promise.all(
      wanted.slice(at, at + copiesAtOnce).map(async ({ file, n, from }) => {
        const object = toObjectName(sub, file.id, from)
        const beginning = await store.readBeginning(from, 1)
        const to = publishedKey(version, n, object)
        const type = 'application/octet-stream'
        if (beginning && (await copyObject(store, { from, etag: beginning.etag, to, type })))
          copied.set(n, [...(copied.get(n) ?? []), object])
      }),
    )
  const left =
    files.length > 0
      ? await repository.findMany(
          sub,
          files.map(({ id }) => id),
        )
      : new Map()
  const gone = numbered.filter(({ file }) => left.get(file.id)?.state !== 'ready')
  const objects = gone.flatMap(({ n }) => (copied.get(n) ?? []).map((name) => publishedKey(version, n, name)))
  if (objects.length > 0) await store.remove(objects)
  return numbered
    .filter((one) => !gone.includes(one))
    .map(({ file, n }) => {
      const { used_in: _, prompt: __, integration: ___, id, ...fields } = file
      return { id, file: { ...fields, id: '', n, objects: copied.get(n) ?? [] } }
    })
}

const countBytes = (files: readonly StoredFile[], prompts: readonly SavedPrompt[]) =>
  prompts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) +
  files.reduce(
    (sum, { text, pictures = [], scans }) =>
      sum +
      // the index of a text is about as large as the text
      2 * (text?.bytes ?? 0) +
      pictures.reduce((bytes, [, size]) => bytes + size, 0) +
      (scans?.parts ?? []).reduce((bytes, [, size]) => bytes + size, 0),
    0,
  )

/**
 * Publishes a project as the next version of its assistant: reserves a number, copies texts and files, then shows the version. If the last
 * step fails, everything is removed: after a later version, a withdrawal, the loss of a group, or a revocation of the publisher's tokens.
 * @returns its head, and the ids of the project's files whose text it has
 * @throws ProjectNotFound, BadRequest, FilesBeingRead, TooManyAssistants, TooManyListedAssistants, StorageFull, PublishConflict
 */
export async function publishAssistant(
  deps: PublishDeps,
  user: User,
  projectId: string,
  request: PublishRequest,
): Promise<{ head: AssistantHead; fileIds: string[] }> {
  const { assistants, projects, files, store } = deps
  const { sub } = user
  const project = await projects.require(sub, projectId)
  const audience = toAudience(request.audience, deps.audienceGroups)
  const { picture: encoded } = request
  const chosen = encoded === undefined || encoded === null ? encoded : parsePicture(encoded)
  const read = await findReadFiles(deps, sub, project)
  await requireRoom(deps, sub, projectId, audience)
  const [saved, connected] = await Promise.all([deps.prompts.list(sub), deps.listConnected(sub)])
  const prompts = saved.filter(({ project_id }) => project_id === projectId)
  const { id, version, before } = await beginVersion(assistants, sub, projectId)
  await assistants.list({ id, publisher: sub, version }, audience)
  // what changes the fence from here on finds it in the lists
  const { fence = 0 } = (await assistants.findHead(id)) ?? {}
  const head = { id, publisher: sub, project_id: projectId }
  let copied: CopiedFile[]
  try {
    await deps.checkToken()
    const pictureBytes = chosen === undefined ? before && findPicture(before)?.bytes : chosen?.bytes.length
    await files.reserveText(
      sub,
      assistants.toTextOwner(id, version),
      countBytes(read, prompts) + (pictureBytes ?? 0),
    )
    copied = await copyFiles(deps, sub, { id, publisher: sub, version }, read)
    await assistants.putVersion(id, version, {
      instructions: project.instructions,
      files: copied.map(({ file }) => file),
      prompts: prompts.map(({ name, text, created_at, copied_from }) => ({
        name,
        text,
        created_at,
        ...(copied_from !== undefined && { copied_from }),
      })),
    })
    const picture = await storePicture(store, { id, version }, { chosen, before })
    const values = describe(project, request, {
      before,
      prompts: prompts.map(({ text }) => text),
      connected,
    })
    const shown = await assistants.show(id, version, fence, {
      ...values,
      picture,
      ...audience,
      publisher: sub,
      publisher_name: deps.publisherName,
      project_id: projectId,
      published_at: new Date().toISOString(),
    })
    if (!shown) throw new PublishConflict(`version ${version} of ${id} is not shown`)
  } catch (error) {
    await assistants.removeVersion(head, version, true)
    await assistants.unlist({ ...head, version }, audience)
    throw error
  }
  await assistants.removeOldVersions(head, version)
  // deleted meanwhile, and its deletion may have come too early to withdraw this
  if (!(await projects.find(sub, projectId))) await assistants.withdraw(head, 'publisher')
  const published = await assistants.findHead(id)
  if (published?.state !== 'live') throw new PublishConflict(`${id} was withdrawn`)
  return {
    head: published,
    fileIds: copied.filter(({ file }) => file.objects.length > 0).map((one) => one.id),
  }
}

/** @throws TooManyAssistants, TooManyListedAssistants */
async function requireRoom(
  { assistants }: Pick<PublishDeps, 'assistants'>,
  sub: string,
  projectId: string,
  { everyone, groups = new Set() }: Pick<AssistantHead, 'everyone' | 'groups'>,
): Promise<void> {
  const owned = await assistants.listOwned(sub)
  const heads = new Map(
    (await assistants.findHeads(owned.map(({ id }) => id))).map((head) => [head.id, head]),
  )
  for (const { projectId: ofProject, id } of owned) {
    const head = heads.get(id)
    if (head?.state === 'gone') await assistants.forgetWithdrawn(sub, ofProject, head)
  }
  const live = owned.filter(({ id }) => heads.get(id)?.state !== 'gone')
  const known = live.find((one) => one.projectId === projectId)?.id
  if (known === undefined && live.length >= maxAssistants)
    throw new TooManyAssistants(`${live.length} assistants`)
  const wanted = [...(everyone ? ['everyone' as const] : []), ...[...groups].map((group) => ({ group }))]
  for (const list of wanted) {
    const isFull = (ids: readonly string[]) =>
      ids.length >= maxListedAssistants && (known === undefined || !ids.includes(known))
    if (isFull(await assistants.listIds(list)) && isFull(await assistants.tidyList(list)))
      throw new TooManyListedAssistants(`${maxListedAssistants} assistants are listed`)
  }
}

/** The next version of a project's assistant: a new one if it was withdrawn. */
async function beginVersion(
  assistants: AssistantRepository,
  sub: string,
  projectId: string,
): Promise<{ id: string; version: number; before: AssistantHead | undefined }> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { id, version } = await assistants.takeVersion(sub, projectId)
    const before = await assistants.findHead(id)
    if (before?.state !== 'gone') return { id, version, before }
    await assistants.forgetWithdrawn(sub, projectId, before)
  }
  throw new PublishConflict(`project ${projectId} is withdrawn again and again`)
}

const toLines = (texts: readonly string[], maxCharacters: number) =>
  texts.map((text) => sanitizeLine(text, maxCharacters)).filter((text) => text !== '')

/** Builds the description of a version. Texts that the request leaves out stay as they were in the version before. */
function describe(
  project: StoredProject,
  request: PublishRequest,
  {
    before,
    prompts,
    connected,
  }: { before: AssistantHead | undefined; prompts: readonly string[]; connected: AssistantHead['tools'] },
): Omit<
  HeadValues,
  'everyone' | 'groups' | 'picture' | 'publisher' | 'publisher_name' | 'project_id' | 'published_at'
> {
  const earlier = before?.state === 'live' ? before : undefined
  const { disabled_tools: disabled = [] } = project
  const starters = request.starters ?? earlier?.starters ?? prompts.slice(0, maxStarters)
  return {
    name: request.name === undefined ? project.name : toProjectName(request.name),
    description: sanitizeLine(
      request.description ?? earlier?.description ?? '',
      maxAssistantDescriptionCharacters,
    ),
    starters: toLines(starters, maxStarterCharacters),
    tools: connected.filter(
      ({ id }) => !disabled.some(({ mcp_id, tool }) => mcp_id === id && tool === undefined),
    ),
    ...(request.news && { news: sanitizeLine(request.news, maxAssistantNewsCharacters) }),
    ...(request.may_copy && { may_copy: true as const }),
    disabled_tools: disabled,
    copied_from: project.copied_from,
    model: project.model,
    effort: project.effort,
  }
}
