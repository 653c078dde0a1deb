import type { Project, ProjectChange } from '#shared/contracts/projects.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { AttachmentNotFound, AttachmentUnfinished } from '../files/errors.ts'
import { ignoreMissing } from '../files/delete-files.ts'
import { toAttachment } from '../files/file-links.ts'
import type { FileRepository } from '../files/file-repository.ts'
import { projectUse, type StoredFile } from '../files/file-row.ts'
import type { ProjectRepository, StoredProject } from './project-repository.ts'

/** The files of a project that still exist, oldest first: new ones are added at the end, so that a prompt's beginning stays the same. */
export async function findProjectFiles(
  files: Pick<FileRepository, 'findMany'>,
  sub: string,
  { file_ids }: Pick<StoredProject, 'file_ids'>,
): Promise<StoredFile[]> {
  if (file_ids.length === 0) return []
  const found = await files.findMany(sub, file_ids)
  return [...found.values()]
    .filter(({ state }) => state === 'ready')
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id))
}

/** A project with its files, as its page shows it. */
export async function openProject(
  files: Pick<FileRepository, 'findMany'>,
  sub: string,
  stored: StoredProject,
): Promise<Project> {
  const found = await findProjectFiles(files, sub, stored)
  return {
    ...stored,
    files: found.map((file) => ({ ...toAttachment(sub, file), created_at: file.created_at })),
  }
}

/** @throws AttachmentNotFound with all ids that are no files of the caller, AttachmentUnfinished */
async function requireFiles(
  files: Pick<FileRepository, 'findMany'>,
  sub: string,
  ids: readonly string[],
): Promise<void> {
  const found = await files.findMany(sub, ids)
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0)
    throw new AttachmentNotFound(`no files ${missing.join(', ')} of the caller`, missing)
  const unfinished = [...found.values()].find(({ state }) => state !== 'ready')
  if (unfinished) throw new AttachmentUnfinished(`upload of ${unfinished.id} is not completed`)
}

/**
 * Changes a project. Its files reference it, so that they stay when a conversation with them is deleted. A removed file stays among the user's
 * files. Every step can be repeated.
 * @throws what `ProjectRepository.update` throws, AttachmentNotFound, AttachmentUnfinished
 */
export async function changeProject(
  { projects, files }: { projects: ProjectRepository; files: FileRepository },
  sub: string,
  id: string,
  change: ProjectChange,
): Promise<Project> {
  const { add_files: added = [], remove_files: removed = [] } = change
  await requireFiles(files, sub, added)
  const stored = await projects.update(sub, id, change)
  await waitForAll([
    ...added.map((file) => files.addReference(sub, file, projectUse(id)).catch(ignoreMissing)),
    ...removed.map((file) => files.removeReference(sub, file, projectUse(id)).catch(ignoreMissing)),
  ])
  return openProject(files, sub, stored)
}
