import { toCodes } from '#shared/sentences/to-sentence.ts'
import type { ResultExtras } from '#shared/contracts/chat.ts'
import { toStorable, toStorableFields } from '../../platform/dynamodb/storable.ts'
import { getRemainingCharacters, maxStoredCharacters } from '../../conversations/turns/stored-reply.ts'
import type { RichContent } from '../../tools/calls/tool.ts'
import type { ModelMessage, ToolImage } from '../model/model.ts'
import type { Progress } from '../progress.ts'
import { toStoredElicited } from './elicited-calls.ts'
import { fitRows } from './fit-rows.ts'
import type { SavedFiles } from './result-files.ts'
import { toActivity, type PreparedCall, type ToolOutcome } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

/** Why a call may run: it only reads, or the user approved the call or, for always, its tool; `denied` if it may not. */
export type Permission = 'reading' | 'approved' | 'always' | 'denied'

/** Arguments, result, and what the server was sent. */
const countParts = ({ history }: PreparedCall) => (history?.elicited ? 3 : 2)

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/** Adds a result for the model, in the order in which the model made the calls of its answer, whichever of them ends first. */
function insertResult({ roundMessages }: Progress, message: ToolMessage): void {
  const assistantIndex = roundMessages.findLastIndex(({ role }) => role === 'assistant')
  const assistantMessage = roundMessages[assistantIndex]
  const order =
    assistantMessage?.role === 'assistant' ? (assistantMessage.tool_calls ?? []).map((call) => call.id) : []
  const isLater = (one: ModelMessage) =>
    one.role === 'tool' && order.indexOf(one.tool_call_id) > order.indexOf(message.tool_call_id)
  const laterCount = roundMessages.slice(assistantIndex + 1).filter(isLater).length
  roundMessages.splice(roundMessages.length - laterCount, 0, message)
}

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

const noFiles: SavedFiles = { notes: [], images: [] }

/** Shows what the result has besides its data, then records the call. */
export async function recordRichResult(
  input: ActiveReply,
  prepared: PreparedCall,
  outcome: ToolOutcome,
  permission: Permission,
): Promise<void> {
  const rich = outcome.success ? outcome.rich : undefined
  const table = outcome.success ? await input.resultTables?.add(prepared, outcome.data) : undefined
  if (!outcome.success || !rich) return recordResult(input, prepared, outcome, permission, { table })
  const { tool } = prepared
  const saved = rich.files.length > 0 ? await input.showFiles(rich.files, tool?.integration) : noFiles
  const maxCharacters = getRemainingCharacters(input.events.reply.toolCalls, countParts(prepared) + 1)
  const { data, totalRows } = rich.isStructured
    ? fitRows(outcome.data, maxCharacters)
    : { data: outcome.data }
  const extras = {
    ...toResultExtras(rich, saved, maxCharacters),
    ...(totalRows !== undefined && { totalRows }),
    ...(tool?.integration && tool.appUri !== undefined && { app: { mcp_id: tool.integration.mcpId } }),
  }
  const isAllShown = rich.files.length > 0 && saved.notes.length === 0
  const notes = isAllShown ? [allShownNote] : saved.notes.map(({ text }) => text)
  const forModel = [outcome.forModel, ...notes].join('\n')
  recordResult(input, prepared, { ...outcome, data, forModel }, permission, {
    extras,
    images: saved.images,
    table,
  })
}

/** For the model, which otherwise offers to show what is there. */
const allShownNote = '[The user sees the files of this result in the chat.]'

/** Records a call's outcome for the reader, the model and the ledger. */
export function recordResult(
  input: ActiveReply,
  prepared: PreparedCall,
  outcome: ToolOutcome,
  permission: Permission,
  {
    extras = {},
    images = [],
    table,
  }: {
    extras?: ResultExtras
    images?: ToolImage[]
    /** what the model is told of the table in the result */
    table?: string | undefined
  } = {},
): void {
  const { call } = prepared
  const maxCharacters = getRemainingCharacters(input.events.reply.toolCalls, countParts(prepared))
  const { events } = input
  const toolCallId = call.id
  const data = { ...extras, ...toStoredElicited(prepared, maxCharacters) }
  if (Object.keys(data).length > 0) events.push({ type: 'data-result-extras', data: { toolCallId, ...data } })
  if (outcome.success) {
    const output = toStorable(outcome.data, maxCharacters)
    events.push({ type: 'tool-output-available', toolCallId, output })
  } else if (outcome.codes[0]?.code === 'denied' && !outcome.codes[0].params)
    // this event has no text: readers know that it was the user
    events.push({ type: 'tool-output-denied', toolCallId })
  else
    events.push({
      type: 'tool-output-error',
      toolCallId,
      errorText: outcome.error,
      codes: [...outcome.codes],
    })
  const message: ToolMessage = {
    role: 'tool',
    tool_call_id: call.id,
    content: [
      input.resultPager.firstPage(call.id, outcome.forModel),
      ...(table === undefined ? [] : [table]),
    ].join('\n'),
    ...(images.length > 0 && { images }),
  }
  insertResult(input.progress, message)
  // calls rejected before execution are not in the ledger
  if (prepared.problem === undefined) input.ledger.record(prepared, outcome, permission)
}
