import type { Sentence } from '#shared/sentences/sentence.ts'
import { toCodes } from '#shared/sentences/to-sentence.ts'
import type { ResultExtras } from '#shared/contracts/chat.ts'
import type { ElicitedInput, FormContent } from '#shared/contracts/elicitation.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { toStorable, toStorableFields } from '../../platform/dynamodb/storable.ts'
import { getRemainingCharacters, maxStoredCharacters } from '../../conversations/turns/stored-reply.ts'
import type { RichContent } from '../../tools/calls/tool.ts'
import type { PendingCall } from '../../conversations/store/run.ts'
import { addResult } from '../progress.ts'
import { fitRows } from './fit-rows.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { SavedFiles } from './result-files.ts'
import { toActivity, toFailure, type PreparedCall, type ToolOutcome } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

/** Why a call may run: it only reads, or the user approved the call or, for always, its tool; `denied` if it may not. */
export type Permission = 'reading' | 'approved' | 'always' | 'denied'

/** Arguments, result, and what the server was sent. */
const countParts = ({ history }: PreparedCall) => (history?.elicited ? 3 : 2)

/** Stored size of the links and notes of a result. */
const maxExtrasCharacters = 8_000

/** Links and notes as they are stored and sent; nothing if there is no room for them. */
function toResultExtras(
  { links, isStructured }: RichContent,
  { notes }: SavedFiles,
  maxCharacters: number,
): ResultExtras {
  const extras = {
    ...(links.length > 0 && { links }),
    ...(notes.length > 0 && { notes: notes.map(({ text }) => text), noteCodes: toCodes(notes) }),
    ...(isStructured && { structured: true }),
  }
  return JSON.stringify(extras).length <= Math.min(maxExtrasCharacters, maxCharacters) ? extras : {}
}

/** The event that tells readers what a call is made with. */
export const toCallEvent = (prepared: PreparedCall) => ({
  type: 'tool-input-available' as const,
  toolCallId: prepared.call.id,
  toolName: prepared.call.name,
  input: toStorableFields(prepared.input, maxStoredCharacters),
  providerMetadata: { juno: toActivity(prepared) },
})

/** What the product says within a result; if there is no room for it, the page shows the English text. */
function toStoredSentences(
  sentences: readonly Sentence[] = [],
  maxCharacters: number,
): Pick<ResultExtras, 'sentences'> {
  const characters = JSON.stringify(sentences).length
  if (sentences.length === 0 || characters > Math.min(maxExtrasCharacters, maxCharacters / 2)) return {}
  return { sentences: [...sentences] }
}

const noFiles: SavedFiles = { notes: [], images: [] }

/** Of the values of one form. */
const maxContentCharacters = 4_000

/** What a server asked and was sent, for the stored call. @param maxCharacters that can be stored */
export function toStoredElicited(
  { history }: PreparedCall,
  maxCharacters: number,
): { elicited?: ElicitedInput[] } {
  if (!history?.elicited) return {}
  const characters = Math.min(Math.floor(maxCharacters / history.elicited.length), maxContentCharacters)
  return {
    elicited: history.elicited.map(({ content, ...others }) => ({
      ...others,
      ...(content && { content: toStorableFields(content, characters) as FormContent }),
    })),
  }
}

/** For the model, which otherwise offers to show what is there. */
const allShownNote = '[The user sees the files of this result in the chat.]'

/** For the model: by what it reads a document of a result. */
const describeDocument = ({ id, name, type }: StoredFile) =>
  `[The file ${name}, ${type}, has the id ${id}: read_attachment and search_files read it, query_table has its tables.]`

/** What a call has come to: a request with which its run waits, or an outcome. */
export type CallEnd = { prepared: PreparedCall } & (
  | { request: PendingCall }
  | { outcome: ToolOutcome; permission: Permission }
)

/** Shows the files of a result. @returns the result as it is stored, with what is stored beside it */
async function showRich(
  input: ActiveReply,
  prepared: PreparedCall,
  outcome: Extract<ToolOutcome, { success: true }>,
) {
  const { rich } = outcome
  if (!rich) return { ...outcome, extras: {}, images: [] }
  const { tool } = prepared
  const saved = rich.files.length > 0 ? await input.showFiles(rich.files, tool?.integration) : noFiles
  const maxCharacters = getRemainingCharacters(input.events.reply.toolCalls, countParts(prepared) + 1)
  const { data, totalRows } = rich.isStructured
    ? fitRows(outcome.data, maxCharacters)
    : { data: outcome.data }
  const extras: ResultExtras = {
    ...toResultExtras(rich, saved, maxCharacters),
    ...(totalRows !== undefined && { totalRows }),
    ...(tool?.integration && tool.appUri !== undefined && { app: { mcp_id: tool.integration.mcpId } }),
  }
  const isAllShown = rich.files.length > 0 && saved.notes.length === 0
  const notes = [
    ...(isAllShown ? [allShownNote] : saved.notes.map(({ text }) => text)),
    ...(saved.documents ?? []).map(describeDocument),
  ]
  return { ...outcome, data, forModel: [outcome.forModel, ...notes].join('\n'), extras, images: saved.images }
}

/**
 * Settles a call: with a request its run waits; an outcome is recorded for the reader, the model and the ledger, with the files, links and
 * table that it has besides its data. If no run can wait for the user, the call is not made or, if its server asks, not finished.
 * @returns the request, if the run waits for it
 */
export async function settleCall(input: ActiveReply, end: CallEnd): Promise<PendingCall[]> {
  const { prepared } = end
  if ('request' in end) {
    const { request } = end
    if (request.kind === 'task' || input.canAskUser !== false) return [request]
    const outcome = toFailure(sayTool(`call_not_made.${request.kind}`))
    return settleCall(input, { prepared, outcome, permission: 'denied' })
  }
  const { outcome, permission } = end
  const { events } = input
  const toolCallId = prepared.call.id
  const table = outcome.success ? await input.resultTables?.add(prepared, outcome.data) : undefined
  const shown = outcome.success ? await showRich(input, prepared, outcome) : undefined
  const maxCharacters = getRemainingCharacters(events.reply.toolCalls, countParts(prepared))
  const extras = {
    ...shown?.extras,
    ...toStoredSentences(shown?.sentences, maxCharacters),
    ...toStoredElicited(prepared, maxCharacters),
    ...(prepared.history?.hostAllowed && { host_allowed: true as const }),
  }
  if (Object.keys(extras).length > 0)
    events.push({ type: 'data-result-extras', data: { toolCallId, ...extras } })
  if (shown)
    events.push({
      type: 'tool-output-available',
      toolCallId,
      output: toStorable(shown.data, maxCharacters),
    })
  else if (!outcome.success) {
    const { error: errorText, codes } = outcome
    // the event of a denial has no text: readers know that it was the user
    const isDenial = codes[0]?.code === 'denied' && !codes[0].params
    events.push(
      isDenial
        ? { type: 'tool-output-denied', toolCallId }
        : { type: 'tool-output-error', toolCallId, errorText, codes: [...codes] },
    )
  }
  const firstPage = input.resultPager.firstPage(toolCallId, (shown ?? outcome).forModel)
  addResult(input.progress, {
    role: 'tool',
    tool_call_id: toolCallId,
    content: table === undefined ? firstPage : `${firstPage}\n${table}`,
    ...(shown && shown.images.length > 0 && { images: shown.images }),
  })
  // calls rejected before execution are not in the ledger
  if (prepared.problem === undefined)
    input.ledger.record(prepared, shown ? { ...outcome, forModel: shown.forModel } : outcome, permission)
  return []
}
