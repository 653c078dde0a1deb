import type { UntrustedSource } from '#shared/contracts/runs.ts'
import type { Offer } from '../../tools/offer/offered-tools.ts'
import { plainLine } from '../../platform/untrusted-text.ts'
import { isCallEnded, type ReplyState } from '#shared/reply/reply-state.ts'
import type { PromptMessage } from './prompt.ts'

/** Tools of the product whose results contain nothing from outside. */
const trustedTools = [
  'remember',
  'forget',
  'generate_image',
  'list_schedules',
  'create_schedule',
  'change_schedule',
]

const maxNames = 5
const maxNameCharacters = 100

/** A source of a kind with its names, each once, as they can be shown; none without names. */
export const nameSources = (kind: UntrustedSource['kind'], names: readonly string[]): UntrustedSource[] => {
  const unique = [...new Set(names.map((name) => plainLine(name, maxNameCharacters)))]
  return unique.length === 0 ? [] : [{ kind, names: unique.slice(0, maxNames) }]
}

/**
 * Lists what the model has read in this conversation that neither the user nor the product wrote: files, results of tools, web pages,
 * messages of an export, names of servers and their descriptions of tools. Any of it could tell the model to call a tool, at once or in a
 * later turn. Content that has left the prompt counts, too: replies that were written with it may quote it.
 * @param offer the tools that the model is offered, and the servers that its instructions name as out of reach
 * @param reply the reply so far
 * @param hasSummary the prompt has a summary of earlier messages, which may quote some
 * @param isUnattended in a run of a schedule. What its person has approved in advance does not count: what servers say of their tools, and what
 * came of writes in earlier runs
 */
export function listUntrustedSources({
  history,
  offer,
  reply,
  hasSummary,
  isUnattended = false,
}: {
  history: readonly PromptMessage[]
  offer: Pick<Offer, 'tools' | 'missing'>
  reply: Pick<ReplyState, 'toolCalls' | 'sources' | 'usage'>
  hasSummary: boolean
  isUnattended?: boolean
}): UntrustedSource[] {
  const files = history.flatMap(({ role, attachments = [] }) => (role === 'user' ? attachments : []))
  const writing = new Set(isUnattended ? offer.tools.flatMap(({ name, writes }) => (writes ? name : [])) : [])
  const calls = [
    ...history.flatMap(({ tool_calls: earlier = [] }) => earlier.filter(({ tool }) => !writing.has(tool))),
    ...reply.toolCalls
      .filter(isCallEnded)
      .map(({ name, activity }) => ({ tool: name, integration: activity?.integration })),
  ]
  const hasWebPages = [...history, reply].some(
    ({ sources = [], usage }) => sources.length > 0 || (usage?.webSearches ?? 0) > 0,
  )
  const sources: UntrustedSource[] = [
    ...nameSources(
      'file',
      files.map(({ name }) => name),
    ),
    ...nameSources('tool', calls.filter(isUntrusted).map(formatTool)),
    ...(hasWebPages ? [{ kind: 'web' as const, names: [] }] : []),
    ...(isUnattended ? [] : nameSources('server', listServers(offer))),
    ...(history.some(({ imported }) => imported) ? [{ kind: 'import' as const, names: [] }] : []),
  ]
  // a recovered reply may have lost what it had read with its usage
  const hasReadOthers = history.some(
    ({ usage, status }) =>
      (usage?.readOthers && !isUnattended) || (!usage && (status === 'interrupted' || status === 'stopped')),
  )
  const mayQuote = hasSummary || (sources.length === 0 && hasReadOthers)
  if (mayQuote) sources.push({ kind: 'summary', names: [] })
  return sources
}

const listServers = ({ tools, missing }: Pick<Offer, 'tools' | 'missing'>): string[] => [
  ...tools.flatMap(({ serverHints, integration }) => (serverHints ? (integration?.name ?? []) : [])),
  ...missing.map(({ name }) => name),
]

interface NamedCall {
  tool: string
  integration?: string | undefined
}

const isUntrusted = ({ tool, integration }: NamedCall) =>
  integration !== undefined || !trustedTools.includes(tool)

const formatTool = ({ tool, integration }: NamedCall) => integration ?? tool
