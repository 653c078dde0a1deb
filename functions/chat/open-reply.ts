import { adminGroup } from '#shared/user-pool.ts'
import type { User } from '../platform/auth/access-token.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import { explainToAdministrator } from './administrator-errors.ts'
import type { ModelChoice } from './model/model-list.ts'
import { addNotice } from './progress.ts'
import { limitContext } from './prompt/context-limits.ts'
import type { OpenedReply, Reply, ReplyDeps } from './reply.ts'
import { CallLedger } from './tools/call-ledger.ts'

/** The code of prompts is loaded beside the other work of the start. */
const loadingPrompt = import('./prompt/load-prompt.ts')

/** What a reply begins with: all that its model and its request do not tell. */
export type ReplyStart = Pick<
  Reply,
  | 'user'
  | 'isSaved'
  | 'sessionId'
  | 'projectId'
  | 'assistant'
  | 'history'
  | 'hasEarlier'
  | 'startDate'
  | 'summaryStore'
  | 'titleStore'
  | 'hints'
  | 'disabledTools'
  | 'spending'
  | 'events'
  | 'progress'
  | 'continues'
  | 'decidedCalls'
> & { choice: ModelChoice }

/** Opens the model of a reply, and begins to load its prompt. */
export function openReply(
  call: Pick<ValidRequest<'chat.send'>, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'> & {
    user: Pick<User, 'sub' | 'issuedAt' | 'groups'>
  },
  deps: ReplyDeps,
  { choice: { model, effort, notice }, ...start }: ReplyStart,
): Reply {
  if (notice) addNotice(start, notice)
  const { requestId, receivedAtMs, remainingMs, log, user } = call
  const { sub, issuedAt } = user
  const opened = deps.models.open(model)
  const reply: OpenedReply = {
    ...start,
    sub,
    issuedAt,
    model: user.groups.includes(adminGroup) ? explainToAdministrator(opened, model.id) : opened,
    modelName: model.id,
    contextTokens: model.contextTokens,
    contextLimits: limitContext(model),
    price: model.price,
    // a server of Chat Completions searches unasked: then its price is known
    mayBillSearches: model.webSearch === true || model.price?.webSearch !== undefined,
    ...(effort !== undefined && { effort }),
    ledger: new CallLedger(deps.toolProvider, { sub, isSaved: start.isSaved, requestId }),
    receivedAtMs: start.progress.roundMessages.length === 0 ? receivedAtMs : undefined,
    requestId,
    remainingMs,
    log,
  }
  const prompt = loadingPrompt.then(({ loadPrompt }) => loadPrompt(deps, reply))
  // whoever waits for it gets the error
  prompt.catch(() => undefined)
  return { ...reply, prompt }
}
