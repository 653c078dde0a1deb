import * as z from 'zod'
import type { User } from '../platform/auth/access-token.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { unpackChunks } from '../platform/dynamodb/packed-chunks.ts'
import { readRow } from '../platform/dynamodb/rows.ts'
import { updateRow } from '../platform/dynamodb/update-row.ts'
import { sanitizeDisplayName } from '../platform/sanitize-line.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { logger } from '../platform/telemetry/logger.ts'
import type { StoredFile } from '../files/file-row.ts'
import type { SavedPrompt } from '#shared/contracts/projects.ts'

/*
 * A published project is an assistant: a partition of its own (`ASSIST#id`) with a head, which alone says whether it is there and for whom,
 * and its versions, which never change. Nothing of its publisher's rows or objects is read by anybody else.
 * Separate from the repository: the chat only reads.
 */

export const assistantKey = (id: string) => `ASSIST#${id}`
export const headKey = (id: string) => ({ PK: assistantKey(id), SK: 'HEAD' })
export const versionsPrefix = 'V#'
export const versionPrefix = (version: number) => `${versionsPrefix}${String(version).padStart(7, '0')}#`

const headRow = z.object({
  /** absent: its first version is being made */
  state: z.enum(['live', 'gone']).optional(),
  version: z.number().int().default(0),
  /** advances with all that must stop a version that is being made */
  fence: z.number().int().default(0),
  /** its publisher's account is disabled */
  suspended: z.literal(true).optional(),
  publisher: z.string().default(''),
  /** earlier releases have stored the name of the account as it was */
  publisher_name: z.string().default('').transform(sanitizeDisplayName),
  project_id: z.string().default(''),
  everyone: z.literal(true).optional(),
  groups: z.set(z.string()).optional(),
  name: z.string().default(''),
  description: z.string().default(''),
  starters: z.array(z.string()).default([]),
  /** what is new in the version */
  news: z.string().optional(),
  may_copy: z.literal(true).optional(),
  /** its instructions came with an assistant of somebody else, and its publisher has not saved them */
  copied_from: z.string().optional(),
  /** of one version: an earlier release publishes the next one without it, and leaves this as it is */
  picture: z
    .object({
      version: z.number().int(),
      type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
      bytes: z.number().int(),
    })
    .optional()
    .catch(undefined),
  /** integrations of the catalogue that its publisher had connected, and what its replies may not use */
  tools: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  disabled_tools: z.array(z.object({ mcp_id: z.string(), tool: z.string().optional() })).default([]),
  model: z.string().optional(),
  effort: z.string().optional(),
  published_at: z.string().default(''),
})
export type AssistantHead = z.infer<typeof headRow> & { id: string }
/** The names of a head's fields. */
export const headFields = Object.keys(headRow.shape)

/** @returns undefined, as for one that is not there, for a head that this release cannot read: it must not hide the others of a list */
export function parseHead(id: string, item: unknown): AssistantHead | undefined {
  const { data, error } = headRow.safeParse(item)
  if (error) logger.error('an assistant cannot be read', { error })
  return data && { ...data, id }
}

/** Who asks: groups count as the token has them. */
export type Member = Pick<User, 'sub' | 'groups'>

/** Whether an assistant is there for a user: its own publisher, everyone, or the members of its groups. */
export function isOpenTo(head: AssistantHead, { sub, groups }: Member): boolean {
  if (head.state !== 'live' || head.suspended) return false
  return (
    head.publisher === sub || head.everyone === true || groups.some((name) => head.groups?.has(name) === true)
  )
}

/** A file of a version: what the row of the publisher's file said of its text, under a number of its own. */
export type PublishedFile = Omit<StoredFile, 'used_in' | 'prompt' | 'integration'> & {
  n: number
  /** its objects, by the end of their keys */
  objects: readonly string[]
}

/** What a version has besides its head: only replies get instructions and files. */
export interface AssistantVersion {
  instructions: string
  files: readonly PublishedFile[]
  /** the saved prompts of the project, by name; absent in versions of earlier releases */
  prompts?: readonly Omit<SavedPrompt, 'id' | 'project_id'>[]
}

/** Reads assistants by id. */
export const assistantReader = (table: Table) => ({
  /** The head as it is; undefined if there is none. */
  async findHead(id: string): Promise<AssistantHead | undefined> {
    const item = await readRow(table, headKey(id))
    return item && parseHead(id, item)
  },

  /** @returns undefined for an assistant that is unknown, withdrawn, suspended, or not for the user */
  async find(user: Member, id: string): Promise<AssistantHead | undefined> {
    const item = await readRow(table, headKey(id))
    const head = item && parseHead(id, item)
    return head && isOpenTo(head, user) ? head : undefined
  },

  /** @returns undefined if it was withdrawn, or two later versions were published, meanwhile */
  async loadVersion(id: string, version: number): Promise<AssistantVersion | undefined> {
    const rows = await queryAll(table, { partition: assistantKey(id), prefix: versionPrefix(version) })
    if (rows.length === 0) return undefined
    const chunks = rows.map((row) => z.instanceof(Uint8Array).parse(row['data']))
    return (await unpackChunks(chunks)) as AssistantVersion
  },
})
export type AssistantReader = ReturnType<typeof assistantReader>

/** In a partition of its own: replies count, and change nothing else of an assistant. */
export const usesKey = (id: string) => ({ PK: `USES#${id}`, SK: 'USES' })

/** Counts a conversation that begins with an assistant: neither who, nor what about. */
export const countAssistantUse = (table: Table, id: string) =>
  updateRow(table, usesKey(id), { update: 'ADD #uses :one', values: { ':one': 1 } })
