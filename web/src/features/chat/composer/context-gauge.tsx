import { t } from '@lingui/core/macro'
import type { PublicModel } from '#shared/models.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/ui/popover.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { ConversationState } from '../state/conversation-state.ts'

const explainUsage = (
  model: string,
  { percent: value, used, max }: Record<'percent' | 'used' | 'max', number>,
) =>
  t`With the last reply it took ${value}% of what ${model} can read at once: ${formatCount(used)} of ${formatCount(max)} tokens, with files and tools.`
const explainFutureCut = (isTemporary: boolean) =>
  isTemporary
    ? t`When older messages no longer fit, the assistant no longer sees them.`
    : t`When older messages no longer fit, the assistant has at most a summary of them.`
const explainCut = (isTemporary: boolean) =>
  isTemporary
    ? t`Older messages no longer fit: the assistant no longer sees them.`
    : t`Older messages no longer fit: the assistant has at most a summary of them.`

/**
 * Shows how much of its model's context window the conversation filled at the newest reply whose share is known. Renders nothing while that
 * would say nothing useful.
 */
export function ConversationGauge({ conversation }: { conversation: Conversation }) {
  const models = useConfig()?.models
  const usage = toContextWindowUsage(useConversationState(conversation, findLastUsage), models)
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  if (!usage) return null
  const { modelName, used, max, isCut } = usage
  const percent = Math.round(Math.min(1, used / max) * 100)
  return (
    <Popover>
      <Tooltip text={t`Length of this conversation`} side="top">
        <PopoverTrigger
          aria-label={t`Length of this conversation: ${{ value: percent }}% of what the model can read`}
          className="-my-1 inline-flex min-h-6 shrink-0 cursor-pointer items-center gap-1.5 rounded-sm px-1 hover:text-ink"
        >
          <svg aria-hidden viewBox="0 0 14 14" width={14} height={14} fill="none" strokeWidth={2.5}>
            <circle cx={7} cy={7} r={5.5} className="stroke-line" />
            <circle
              cx={7}
              cy={7}
              r={5.5}
              pathLength={100}
              strokeDasharray={`${percent} 100`}
              transform="rotate(-90 7 7)"
              stroke="currentColor"
            />
          </svg>
          {t`${{ value: percent }}%`}
        </PopoverTrigger>
      </Tooltip>
      <PopoverContent aria-label={t`Length of this conversation`} side="top" className="p-4">
        <p className="font-medium text-ink">{t`Length of this conversation`}</p>
        <p className="pt-1 text-sm text-ink-muted">{explainUsage(modelName, { percent, used, max })}</p>
        <p className="pt-2 text-sm text-ink-muted">
          {isCut ? explainCut(isTemporary) : explainFutureCut(isTemporary)} {t`A new chat starts empty.`}
        </p>
      </PopoverContent>
    </Popover>
  )
}

/** Below this share of the model's window no gauge is shown, unless earlier messages are left out: nobody has to mind the length yet. */
const minShownShare = 0.25

/** How much of its model's context window a conversation filled at the newest reply. */
interface ContextWindowUsage {
  modelName: string
  /** tokens */
  used: number
  max: number
  /** whether earlier messages no longer fitted */
  isCut: boolean
}

/** The usage of the newest reply whose share of the window is known. */
const findLastUsage = ({ messages }: Pick<ConversationState, 'messages'>): ChatMessage['usage'] =>
  messages.findLast(({ usage }) => usage?.contextUsed !== undefined)?.usage

/**
 * Relates the usage of a reply to the context window of its model.
 * @returns undefined if a gauge would say nothing useful: little is used, or the model or its window is not known
 */
function toContextWindowUsage(
  usage: ChatMessage['usage'],
  models: readonly PublicModel[] = [],
): ContextWindowUsage | undefined {
  const model = models.find(({ id }) => id === usage?.model)
  if (usage?.contextUsed === undefined || model?.contextTokens === undefined) return undefined
  const { contextUsed: used, contextStart, contextTurns } = usage
  const { name: modelName, contextTokens: max } = model
  const isCut = (contextStart ?? contextTurns) !== undefined
  return isCut || used / max >= minShownShare ? { modelName, used, max, isCut } : undefined
}
