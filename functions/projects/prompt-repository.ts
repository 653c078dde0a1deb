import * as z from 'zod'
import { savedPrompt, type SavedPrompt } from '#shared/contracts/projects.ts'
import { maxPrompts } from '../platform/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { putRow, deleteRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateOrThrow } from '../platform/dynamodb/update-row.ts'
import { PromptNotFound, TooManyPrompts } from './errors.ts'
import { toProjectName } from './project-repository.ts'

const prefix = 'PROMPT#'
const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `${prefix}${id}` })

const row = savedPrompt.omit({ id: true }).extend({ SK: z.string().startsWith(prefix) })

function fromRow(item: Record<string, unknown> | undefined): SavedPrompt {
  const { SK, ...fields } = row.parse(item)
  return { id: SK.slice(prefix.length), ...fields }
}

/** The saved prompts of users and of their projects. */
export const promptRepository = (table: Table) => {
  /** All prompts of a user by name. */
  async function list(sub: string): Promise<SavedPrompt[]> {
    const items = await queryAll(table, { partition: `U#${sub}`, prefix })
    return items
      .map(fromRow)
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at))
  }

  async function remove(sub: string, id: string): Promise<void> {
    await deleteRow(table, key(sub, id))
  }

  return {
    list,

    /** Adds a prompt. The same addition again changes nothing. @throws BadRequest, TooManyPrompts */
    async add(
      sub: string,
      {
        id = crypto.randomUUID(),
        name,
        text,
        project_id,
        copied_from,
      }: { id?: string | undefined } & Omit<SavedPrompt, 'id' | 'created_at'>,
    ): Promise<SavedPrompt> {
      const known = await list(sub)
      const same = known.find((one) => one.id === id)
      if (same) return same
      if (known.length >= maxPrompts) throw new TooManyPrompts(`${known.length} prompts`)
      const added = {
        name: toProjectName(name),
        text,
        ...(project_id !== undefined && { project_id }),
        ...(copied_from !== undefined && { copied_from }),
        created_at: new Date().toISOString(),
      }
      await putRow(table, { ...key(sub, id), ...added })
      // this one is counted too, so that two at once cannot both be the last one
      const { length } = await list(sub)
      if (length <= maxPrompts) return { id, ...added }
      await remove(sub, id)
      throw new TooManyPrompts(`${length} prompts`)
    },

    /** Replaces name and text, which are the user's from then on. @throws BadRequest, PromptNotFound */
    async update(
      sub: string,
      id: string,
      { name, text }: { name: string; text: string },
    ): Promise<SavedPrompt> {
      const { attributes } = await updateOrThrow(
        table,
        key(sub, id),
        {
          update: 'SET #name = :name, #text = :text REMOVE copied_from',
          condition: 'attribute_exists(#PK)',
          values: { ':name': toProjectName(name), ':text': text },
          returns: 'ALL_NEW',
        },
        (cause) => new PromptNotFound(`no prompt ${id}`, { cause }),
      )
      return fromRow(attributes)
    },

    /** Succeeds if it does not exist (any more). */
    remove,

    async removeOfProject(sub: string, projectId: string): Promise<void> {
      for (const { id, project_id } of await list(sub)) if (project_id === projectId) await remove(sub, id)
    },
  }
}

export type PromptRepository = ReturnType<typeof promptRepository>
