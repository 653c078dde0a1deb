import { sayProject } from '#shared/sentences/projects.ts'
import * as z from 'zod'
import {
  project,
  type ProjectAddition,
  type ProjectChange,
  type ProjectSummary,
} from '#shared/contracts/projects.ts'
import { maxProjectFiles, maxProjectNameCharacters } from '#shared/limits.ts'
import { maxProjects } from '../platform/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { readRow, createRow, deleteRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { expectTexts, updateIf } from '../platform/dynamodb/update-row.ts'
import { BadRequest, ChangedElsewhere } from '../platform/errors.ts'
import { sanitizeLine } from '../platform/sanitize-line.ts'
import { ProjectNotFound, TooManyProjectFiles, TooManyProjects } from './errors.ts'

const prefix = 'P#'
const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `${prefix}${id}` })

const row = project.omit({ id: true, files: true }).extend({
  SK: z.string().startsWith(prefix),
  instructions: z.string().default(''),
  file_ids: z.set(z.string()).optional(),
})

/** A project as it is stored: files by id. */
export type StoredProject = ProjectSummary & { instructions: string; file_ids: readonly string[] }

function fromRow(item: Record<string, unknown>): StoredProject {
  const { SK, file_ids = [], ...fields } = row.parse(item)
  return { id: SK.slice(prefix.length), ...fields, file_ids: [...file_ids] }
}

/** @throws BadRequest when nothing of the name is left */
export function toProjectName(name: string): string {
  const line = sanitizeLine(name, maxProjectNameCharacters)
  if (line === '') throw new BadRequest(sayProject('bad_request.empty_name'))
  return line
}

/** The projects of users, without their conversations. */
export const projectRepository = (table: Table) => {
  async function find(sub: string, id: string): Promise<StoredProject | undefined> {
    const item = await readRow(table, key(sub, id))
    return item && fromRow(item)
  }

  /** @throws ProjectNotFound */
  async function require(sub: string, id: string): Promise<StoredProject> {
    const found = await find(sub, id)
    if (!found) throw new ProjectNotFound(`no project ${id}`)
    return found
  }

  /**
   * Changes the given fields; the files are not looked up. Can be repeated.
   * @throws BadRequest, ProjectNotFound, TooManyProjectFiles; ChangedElsewhere when a text is not the one that the sender has seen
   */
  async function update(sub: string, id: string, change: ProjectChange): Promise<StoredProject> {
    const { add_files, remove_files, name_seen, instructions_seen, ...fields } = change
    const wanted: Record<string, unknown> = {
      ...fields,
      ...(fields.name !== undefined && { name: toProjectName(fields.name) }),
      updated_at: new Date().toISOString(),
    }
    // what the user saves is theirs
    if (fields.instructions !== undefined) wanted['copied_from'] = null
    const isRemoved = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
    const entries = Object.entries(wanted).filter(([, value]) => value !== undefined)
    const set = entries.filter(([, value]) => !isRemoved(value))
    const removed = entries.filter(([, value]) => isRemoved(value))
    const texts = expectTexts(wanted, { name: name_seen, instructions: instructions_seen })
    const isChanged = await updateIf(table, key(sub, id), {
      update: [
        `SET ${set.map(([field]) => `#${field} = :${field}`).join(', ')}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.map(([field]) => `#${field}`).join(', ')}`] : []),
        ...(add_files ? ['ADD #file_ids :files'] : []),
        ...(remove_files ? ['DELETE #file_ids :files'] : []),
      ].join(' '),
      condition: [
        'attribute_exists(#PK)',
        ...texts.conditions,
        ...(add_files ? ['(attribute_not_exists(#file_ids) OR size(#file_ids) <= :room)'] : []),
      ].join(' AND '),
      values: {
        ...Object.fromEntries(set.map(([field, value]) => [`:${field}`, value])),
        ...texts.values,
        ...((add_files ?? remove_files) && { ':files': new Set(add_files ?? remove_files) }),
        ...(add_files && { ':room': maxProjectFiles - new Set(add_files).size }),
      },
    })
    const stored = await require(sub, id)
    if (isChanged) return stored
    const missing = add_files && [...new Set(add_files)].filter((file) => !stored.file_ids.includes(file))
    // those that it has already need no room
    if (missing && missing.length < add_files.length)
      return update(sub, id, { ...change, add_files: missing.length > 0 ? missing : undefined })
    if (missing && stored.file_ids.length + missing.length > maxProjectFiles)
      throw new TooManyProjectFiles(`${stored.file_ids.length} files`)
    throw new ChangedElsewhere('other settings are stored')
  }

  return {
    find,
    require,

    /** All projects of a user by name, without what only a project's own page shows. */
    async list(sub: string): Promise<StoredProject[]> {
      const items = await queryAll(table, { partition: `U#${sub}`, prefix })
      return items
        .map(fromRow)
        .toSorted((a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at))
    },

    /**
     * Creates a project. The same addition again changes nothing.
     * @param addition with the name of the assistant whose instructions it has, if that is somebody else's
     * @throws BadRequest, TooManyProjects
     */
    async create(
      sub: string,
      addition: ProjectAddition & Pick<ProjectSummary, 'copied_from'>,
    ): Promise<StoredProject> {
      const {
        id = crypto.randomUUID(),
        name,
        instructions,
        model,
        effort,
        disabled_tools,
        copied_from,
      } = addition
      const loadKeys = () => queryAll(table, { partition: `U#${sub}`, prefix, projection: 'SK' })
      const known = await loadKeys()
      if (known.some(({ SK }) => SK === `${prefix}${id}`)) return require(sub, id)
      if (known.length >= maxProjects) throw new TooManyProjects(`${known.length} projects`)
      const at = new Date().toISOString()
      const Item = {
        ...key(sub, id),
        name: toProjectName(name),
        ...(instructions && { instructions }),
        ...(model && { model }),
        ...(effort && { effort }),
        ...(disabled_tools?.length && { disabled_tools }),
        ...(instructions && copied_from && { copied_from }),
        created_at: at,
        updated_at: at,
      }
      if (!(await createRow(table, Item))) return require(sub, id)
      // this one is counted too, so that two at once cannot both be the last one
      const { length } = await loadKeys()
      if (length <= maxProjects) return fromRow(Item)
      await deleteRow(table, key(sub, id))
      throw new TooManyProjects(`${length} projects`)
    },

    update,

    /** Succeeds if it does not exist (any more). */
    async remove(sub: string, id: string): Promise<void> {
      await deleteRow(table, key(sub, id))
    },
  }
}

export type ProjectRepository = ReturnType<typeof projectRepository>
