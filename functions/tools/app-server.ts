import type { Sentence } from '#shared/sentences/sentence.ts'
import { defineSentences, joinSentences, toCodes } from '#shared/sentences/to-sentence.ts'
import { appSentences, sayTool } from '#shared/sentences/tools.ts'
import type { AppApproval, AppCallResponse, OpenedApp } from '#shared/contracts/apps.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import type { AllowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { ConnectionNotFound } from '../integrations/store/errors.ts'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import { toPlainNumbers } from '../platform/exact-json.ts'
import { withTimeout } from '../platform/with-timeout.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import { mayBeDone } from '../providers/may-be-done.ts'
import { isReconnectRequired } from '../providers/reconnect-required.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { AppError } from '../platform/errors.ts'
import { sayFailure } from './calls/say-failure.ts'
import { InputRequired, TaskUnfinished } from './calls/unfinished-calls.ts'
import { type AppConversationDeps, mayRunUnasked } from './app-conversation.ts'
import { type ConnectionDeps, loadConnected } from './servers/load-connections.ts'
import { type ListedTool, listTools, toTool } from './servers/server.ts'
import type { ToolProvider } from './tool-provider.ts'
import { describeTool, fingerprintTool, type RichContent, type Tool } from './calls/tool.ts'

/** The gateway waits this long for the response. */
const gatewayMs = 29_000
/** The part of it that a call leaves unused: cancelling its task takes at most 2 s, then the ledger is written. */
const reservedMs = 4_000
/** A call that has less time than this is not made. */
const minCallMs = 1_000
const openMs = 15_000

const denied = sayTool('denied')
const say = defineSentences(appSentences)

/** An app of a server cannot be shown; the sentence says why. */
export class AppNotShown extends AppError {
  readonly status = 502

  constructor(why: Sentence, options?: { cause?: unknown }) {
    super(say('app_not_shown', { why }), 'app_not_shown', options)
  }
}

interface AppServerDeps extends ConnectionDeps, AppConversationDeps {
  /** what the user's groups allow; all if absent */
  toolsAllowed: ToolsAllowed | undefined
  toolProvider: Pick<ToolProvider, 'allow' | 'record'>
  alwaysAllowedTools: Pick<AllowedToolRepository, 'list'>
}

type OpenDeps = Pick<AppServerDeps, 'connections' | 'servers' | 'toolsAllowed'>
type AppCall = Pick<ValidRequest<'apps.call'>, 'user' | 'receivedAtMs' | 'remainingMs'>
type RequestTime = Omit<AppCall, 'user'>

/** @throws ConnectionNotFound if the user has no such server, AppNotShown if they may not use it any more */
async function findConnection({ toolsAllowed, ...deps }: OpenDeps, sub: string, id: string) {
  const { connections } = await loadConnected(deps, sub)
  const connection = connections.find(({ integration }) => integration.mcpId === id)
  const apps = connection?.server.apps
  if (!apps) throw new ConnectionNotFound(`no server ${id}`)
  if (!isConnectionAllowed(connection.kind, toolsAllowed)) throw new AppNotShown(say('app_not_allowed'))
  return { connection, apps }
}

/** A sentence about a server that failed. */
const describeFailure = (error: unknown, name: string): Sentence =>
  isReconnectRequired(error)
    ? error.sentence
    : ((error instanceof ProviderError ? error.sentences[0] : undefined) ?? say('app_no_answer', { name }))

/**
 * The app that shows the results of a tool. Its address is the one that the server's current list names: no request can choose another.
 * @throws ConnectionNotFound, AppNotShown
 */
export async function openApp(
  deps: OpenDeps,
  sub: string,
  { mcp_id, tool }: RouteRequest<'apps.open'>,
): Promise<OpenedApp> {
  const { connection, apps } = await findConnection(deps, sub, mcp_id)
  const { name } = connection.integration
  try {
    const { tools } = await listTools(connection)
    const uri = tools.find((one) => one.name === tool)?.appUri
    if (uri === undefined) throw new ProviderError(say('app_gone', { name }))
    const { html, domains } = await apps.read(uri, AbortSignal.timeout(openMs))
    return {
      integration: name,
      html,
      domains: { connect: [...domains.connect], resource: [...domains.resource] },
    }
  } catch (error) {
    throw new AppNotShown(describeFailure(error, name), { cause: error })
  }
}

/** What the user is asked before an app's call is made. */
const toApproval = (tool: Tool, input: Record<string, unknown>, asksEachTime: boolean): AppApproval => ({
  fingerprint: fingerprintTool(tool),
  title: tool.title ?? tool.name,
  ...describeTool(tool),
  ...(asksEachTime && { once: true }),
  arguments: input,
})

const buildRefusal = (error: string): AppCallResponse => ({
  status: 'done',
  result: { success: false, error },
})

/** How long a call may take, so that its result reaches the app and the ledger. Listing the tools may have been slow. */
const getCallMs = ({ receivedAtMs, remainingMs }: RequestTime, tool: Tool): number =>
  Math.min(receivedAtMs + gatewayMs - Date.now() - reservedMs, remainingMs() - reservedMs, tool.timeoutMs)

/** Runs a call. Every failure is a result for the app. */
async function runTool(
  tool: Tool,
  input: Record<string, unknown>,
  callMs: number,
): Promise<NonNullable<AppCallResponse['result']>> {
  const deadline = AbortSignal.timeout(callMs)
  const rich: RichContent = { files: [], links: [] }
  try {
    // after an error, the call may list the server's tools, which the deadline does not stop
    const outcome = await withTimeout(tool.run(input, deadline, {}, rich), callMs + reservedMs / 2)
    if (!outcome) throw deadline.reason
    const { result: data } = outcome
    // an app cannot read numbers that JavaScript does not have
    return { success: true, data: toPlainNumbers(data), ...(rich.isStructured && { structured: true }) }
  } catch (error) {
    // an app cannot wait: nobody would fetch the result
    const task =
      error instanceof TaskUnfinished
        ? error.task
        : error instanceof InputRequired
          ? error.request.task
          : undefined
    if (task) await tool.tasks?.cancel(task)
    return { success: false, error: describeFailedCall(error, tool, deadline.aborted ? callMs : undefined) }
  }
}

/** @param lateMs how long the call has taken, if its time is up */
function describeFailedCall(error: unknown, { writes }: Tool, lateMs: number | undefined): string {
  const outcome = writes ? ` ${mayBeDone.text}` : ''
  if (error instanceof TaskUnfinished)
    return `The server needs longer than an app can wait, so the task was given up.${outcome}`
  if (error instanceof InputRequired)
    return 'The server asks the user for something, which works in the chat only.'
  if (lateMs !== undefined) return `No answer within ${Math.floor(lateMs / 1_000)} seconds.${outcome}`
  return joinSentences(sayFailure(error, writes)).slice(0, 500)
}

/**
 * A call that an app makes. It is one of its own server's tools that apps may call, and it needs the user's approval as a call of
 * the model does: unless the tool only reads, or is always allowed and its conversation is the user's alone. A decision counts for the
 * definition that was shown.
 * @throws ConnectionNotFound if the connection is gone
 */
export async function callFromApp(
  { toolProvider, alwaysAllowedTools, ...deps }: AppServerDeps,
  { user, ...time }: AppCall,
  request: RouteRequest<'apps.call'>,
): Promise<AppCallResponse> {
  const { mcp_id, name, arguments: args, decision, disabledTools = [], keep = true } = request
  const { sub } = user
  const [{ connection, apps }, allowedTools, isTrusted] = await Promise.all([
    findConnection(deps, sub, mcp_id),
    alwaysAllowedTools.list(sub),
    mayRunUnasked(deps, user, request.session_id),
  ])
  let tools: readonly ListedTool[]
  try {
    // an always allowed tool runs without an approval request, so its definition has to be current
    const mustBeCurrent = allowedTools.some((one) => one.mcp_id === mcp_id)
    tools = await apps.listTools({ mustBeCurrent })
  } catch (error) {
    return buildRefusal(describeFailure(error, connection.integration.name).text)
  }
  const listed = tools.find((one) => one.name === name)
  const tool = listed && toTool(connection, listed)
  if (!tool) return buildRefusal('There is no such tool for apps.')
  const isDisabled = disabledTools.some(
    (one) => one.mcp_id === mcp_id && (one.tool === undefined || one.tool === tool.name),
  )
  if (isDisabled) return buildRefusal('The user has turned this tool off in this chat.')
  const checked = tool.parameters.check(args)
  if ('problem' in checked) return buildRefusal(`The arguments do not fit: ${checked.problem.text}`)
  const { input } = checked
  const fingerprint = fingerprintTool(tool)
  const isAlwaysAllowed = isTrusted && allowedTools.some(({ id }) => id === fingerprint)
  const hasDecision = decision?.fingerprint === fingerprint
  if (tool.writes && !isAlwaysAllowed && !hasDecision)
    return { status: 'approval_required', approval: toApproval(tool, input, !isTrusted) }
  if (hasDecision && !decision.approved) {
    await toolProvider.record(
      sub,
      {
        tool,
        input,
        success: false,
        error: denied.text,
        codes: toCodes([denied]),
        resultSize: 0,
        permission: 'denied',
      },
      keep,
    )
    return buildRefusal(denied.text)
  }
  if (hasDecision && decision.always && isTrusted) await toolProvider.allow(sub, tool)
  const callMs = getCallMs(time, tool)
  if (callMs < minCallMs)
    return buildRefusal(
      `${connection.integration.name} is slow right now. The call was not made; please try again.`,
    )
  const result = await runTool(tool, input, callMs)
  const permission = tool.writes ? (isAlwaysAllowed ? 'always' : 'approved') : 'reading'
  const resultSize = JSON.stringify(result.data ?? '').length
  await toolProvider.record(
    sub,
    { tool, input, success: result.success, error: result.error, resultSize, permission },
    keep,
  )
  return { status: 'done', result }
}
