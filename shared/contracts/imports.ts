import * as z from 'zod'
import {
  maxFilesPerMessage,
  maxImportedForks,
  maxImportedMessagesPerRequest,
  maxImportedTurns,
  maxMessageCharacters,
  maxTitleCharacters,
} from '#shared/limits.ts'

/** A text as the table accepts it: without unpaired surrogates. */
const text = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .transform((value) => value.toWellFormed())
const turnNumber = z.number().int().min(1).max(maxImportedTurns)
const time = z.iso.datetime()

const importedMessage = z.strictObject({
  turn: turnNumber,
  role: z.enum(['user', 'assistant']),
  content: text(maxMessageCharacters),
  created_at: time,
  /** ids of the caller's own finished uploads; any others are left out */
  attachment_ids: z.array(z.string().max(128)).max(maxFilesPerMessage).optional(),
})

/** How turns follow each other: each follows the one before it, unless it is a version of an earlier one (ADR 0049). */
const forks = z
  .array(z.strictObject({ turn: turnNumber, version_of: turnNumber }))
  .max(maxImportedForks)
  .refine((list) => {
    const turns = new Set(list.map(({ turn }) => turn))
    return list.every(
      ({ turn, version_of: first }, index) =>
        first < turn && !turns.has(first) && turn > (list[index - 1]?.turn ?? 0),
    )
  }, 'Name the forks in the order of their turns, each as a version of an earlier turn that is none itself.')

const importedConversation = z
  .strictObject({
    /** id at the source: a conversation of the same source and id is stored once */
    source_id: z.string().min(1).max(200),
    title: text(maxTitleCharacters).pipe(z.string().trim().min(1)),
    created_at: time,
    updated_at: time,
    archived: z.boolean().optional(),
    /** number of the newest turn */
    turns: turnNumber,
    forks: forks.optional(),
    /** last turn of the branch that is shown; absent: the newest turn */
    head: turnNumber.optional(),
    /** messages with content in that branch */
    message_count: z
      .number()
      .int()
      .min(1)
      .max(2 * maxImportedTurns),
    /** some of them or none; a message is one of its turn and role */
    messages: z.array(importedMessage).max(maxImportedMessagesPerRequest),
    /** an earlier request has begun the conversation: without what it stored, nothing is stored */
    continues: z.boolean().optional(),
    /** no messages follow: the conversation is listed from now on */
    complete: z.boolean(),
  })
  .refine(
    ({ turns, forks: list = [], head = turns, messages }) =>
      [head, ...list.map(({ turn }) => turn), ...messages.map(({ turn }) => turn)].every(
        (turn) => turn <= turns,
      ),
    'No turn may have a higher number than the newest one.',
  )
export type ImportedConversation = z.infer<typeof importedConversation>

export const importSource = z.enum(['chatgpt', 'claude'])
export type ImportSource = z.infer<typeof importSource>

/**
 * POST /api/imports: stores conversations of an export. Can be repeated. One with many messages takes several calls with the
 * same fields, of which the last is `complete`; until then it is not listed.
 */
export const importRequest = z.strictObject({
  /** made by the client for the whole import; undoing it deletes what has this id */
  import_id: z.uuid(),
  source: importSource,
  conversations: z
    .array(importedConversation)
    .min(1)
    .max(100)
    .refine((list) => new Set(list.map(({ source_id: id }) => id)).size === list.length, 'Name each once.')
    .refine(
      (list) => list.reduce((sum, { messages }) => sum + messages.length, 0) <= maxImportedMessagesPerRequest,
      'These are too many messages for one request.',
    ),
})
export const importResponse = z.object({
  success: z.literal(true),
  /**
   * In the order of the request. `open`: more messages may follow; `imported`: it is complete; `existing`: another import has stored it, or
   * stores it now, and nothing was changed.
   */
  conversations: z.array(
    z.object({ source_id: z.string(), state: z.enum(['open', 'imported', 'existing']) }),
  ),
})

/** GET /api/imports: the caller's imports with conversations left, newest first. */
const importSummary = z.object({
  id: z.string(),
  source: importSource,
  imported_at: z.string(),
  /** conversations of it that are not deleted */
  conversations: z.number().int(),
})
export type ImportSummary = z.infer<typeof importSummary>

/** The contracts of imports, of the function 'sessions'. */
export const importsContracts = {
  'imports.add': { request: importRequest, response: importResponse },
  'imports.list': { response: z.object({ imports: z.array(importSummary) }) },
  // deletes as many conversations as the time of one call allows: called again until none remain
  'imports.undo': {
    response: z.object({ success: z.literal(true), deleted: z.number().int(), remaining: z.number().int() }),
  },
} as const
